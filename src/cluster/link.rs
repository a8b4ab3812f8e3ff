//! How the ranks of a job talk to each other. The sweep knows this trait only; MPI is one way to do it.

/// A message to another rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The rank it goes to.
    pub to: usize,
    /// What it says.
    pub bytes: Vec<u8>,
    /// The room that the receiver has made for it.
    pub room: usize,
}

/// A message from another rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The rank it comes from.
    pub from: usize,
    /// Room for the longest message; afterwards the message.
    pub bytes: Vec<u8>,
}

/// The connection of a rank with the others. All ranks make the same calls in the same order.
pub trait Link {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Sends and receives at most one message for each rank, does `work` meanwhile, and returns when all is done:
    /// whether any rank raised its `flag`.
    fn exchange(
        &self,
        outgoing: &[Outgoing],
        incoming: &mut [Incoming],
        flag: bool,
        work: &mut dyn FnMut(),
    ) -> bool;

    /// What every rank says, in the order of the ranks.
    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;
}

/// A single process.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Link for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn exchange(&self, _: &[Outgoing], _: &mut [Incoming], flag: bool, work: &mut dyn FnMut()) -> bool {
        work();
        flag
    }

    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        vec![bytes.to_vec()]
    }
}

/// Ranks that are threads of one process, for tests of the sweep without MPI.
#[cfg(test)]
pub mod threads {
    use super::{Incoming, Link, Outgoing};
    use std::sync::mpsc::{Receiver, Sender, channel};

    pub struct Threads {
        rank: usize,
        to: Vec<Sender<Vec<u8>>>,
        from: Vec<Receiver<Vec<u8>>>,
    }

    impl Threads {
        /// One end for each of `ranks` threads.
        pub fn of(ranks: usize) -> Vec<Self> {
            let mut ends: Vec<Self> =
                (0..ranks).map(|rank| Self { rank, to: Vec::new(), from: Vec::new() }).collect();
            for from in 0..ranks {
                for to in 0..ranks {
                    let (sender, receiver) = channel();
                    ends[from].to.push(sender);
                    ends[to].from.push(receiver);
                }
            }
            ends
        }
    }

    impl Link for Threads {
        fn rank(&self) -> usize {
            self.rank
        }

        fn ranks(&self) -> usize {
            self.to.len()
        }

        fn exchange(
            &self,
            outgoing: &[Outgoing],
            incoming: &mut [Incoming],
            flag: bool,
            work: &mut dyn FnMut(),
        ) -> bool {
            outgoing.iter().for_each(|message| self.to[message.to].send(message.bytes.clone()).unwrap());
            work();
            for message in incoming {
                let bytes = self.from[message.from].recv().unwrap();
                assert!(bytes.len() <= message.bytes.len(), "a message is longer than was expected");
                message.bytes = bytes;
            }
            self.all_gather(&[u8::from(flag)]).iter().any(|flag| flag[0] != 0)
        }

        fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
            self.to.iter().for_each(|to| to.send(bytes.to_vec()).unwrap());
            self.from.iter().map(|from| from.recv().unwrap()).collect()
        }
    }
}
