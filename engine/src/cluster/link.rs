//! How the ranks of a job talk to each other. The run knows this trait only; MPI is one way to do it.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::{Error, Result};

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

    /// What [`Self::exchange`] does, without cutting the room down to the
    /// messages: returns their lengths instead.
    fn transfer(
        &self,
        outgoing: &[Outgoing],
        incoming: &mut [Incoming],
        flag: bool,
        work: &mut dyn FnMut(),
    ) -> (Vec<usize>, bool);

    /// Sends and receives at most one message for each rank, does `work` meanwhile, and returns when all is
    /// done: whether any rank raised its `flag`.
    fn exchange(
        &self,
        outgoing: &[Outgoing],
        incoming: &mut [Incoming],
        flag: bool,
        work: &mut dyn FnMut(),
    ) -> bool {
        let (lengths, any) = self.transfer(outgoing, incoming, flag, work);
        incoming.iter_mut().zip(lengths).for_each(|(message, length)| message.bytes.truncate(length));
        any
    }

    /// What every rank says, in the order of the ranks.
    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;

    /// Ends the processes of all ranks at once.
    fn abort(&self, code: u8) -> ! {
        std::process::exit(code.into())
    }
}

/// What every rank says, in the order of the ranks, where all run the same program.
pub fn gather<T: Serialize + DeserializeOwned>(link: &dyn Link, mine: &T) -> Result<Vec<T>> {
    let text = serde_json::to_vec(mine).unwrap_or_default();
    let parse = |text: &Vec<u8>| serde_json::from_slice(text);
    let all: Result<Vec<T>, _> = link.all_gather(&text).iter().map(parse).collect();
    all.map_err(|_| {
        Error::Ranks("a rank said what the others cannot read; start the same program on all nodes".into())
    })
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

    fn transfer(
        &self,
        _: &[Outgoing],
        _: &mut [Incoming],
        flag: bool,
        work: &mut dyn FnMut(),
    ) -> (Vec<usize>, bool) {
        work();
        (Vec::new(), flag)
    }

    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        vec![bytes.to_vec()]
    }
}

/// Ranks that are threads of one process, for tests without MPI.
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

        fn transfer(
            &self,
            outgoing: &[Outgoing],
            incoming: &mut [Incoming],
            flag: bool,
            work: &mut dyn FnMut(),
        ) -> (Vec<usize>, bool) {
            outgoing.iter().for_each(|message| self.to[message.to].send(message.bytes.clone()).unwrap());
            work();
            let receive = |message: &mut Incoming| {
                let bytes = self.from[message.from].recv().unwrap();
                assert!(bytes.len() <= message.bytes.len(), "a message is longer than was expected");
                message.bytes[..bytes.len()].copy_from_slice(&bytes);
                bytes.len()
            };
            let lengths = incoming.iter_mut().map(receive).collect();
            (lengths, self.all_gather(&[u8::from(flag)]).iter().any(|flag| flag[0] != 0))
        }

        fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
            self.to.iter().for_each(|to| to.send(bytes.to_vec()).unwrap());
            self.from.iter().map(|from| from.recv().unwrap()).collect()
        }
    }
}
