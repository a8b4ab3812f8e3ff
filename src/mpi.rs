//! Ranks that are processes of an MPI job. Only this module knows of MPI, so that all other packages are the same
//! with and without it.
//!
//! Only the main thread calls MPI; the threads of a rank know nothing of it.

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::{Equivalence, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};

use crate::base::{Error, Result};
use crate::cluster::{Incoming, Link, Outgoing};

/// All ranks of the job.
pub struct World {
    // Before the universe, whose end is the end of MPI.
    world: SimpleCommunicator,
    _universe: Universe,
}

/// Counts are 32 bits in MPI: longer messages go in pieces of this many bytes.
const PIECE: usize = 1 << 30;

impl World {
    /// Joins the job that this process was started in.
    pub fn join() -> Result<Self> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Funneled).ok_or_else(|| {
            Error::Usage("MPI was started before in this process; run the command again".into())
        })?;
        if threading < Threading::Funneled {
            return Err(Error::Usage(
                "this MPI library cannot be used by a program with threads; use one with MPI_THREAD_FUNNELED"
                    .into(),
            ));
        }
        Ok(Self { world: universe.world(), _universe: universe })
    }
}

impl Link for World {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn transfer(
        &self,
        outgoing: &[Outgoing],
        incoming: &mut [Incoming],
        flag: bool,
        work: &mut dyn FnMut(),
    ) -> (Vec<usize>, bool) {
        let (flag, mut any) = (u8::from(flag), 0u8);
        let mut lengths = vec![0; incoming.len()];
        mpi::request::scope(|scope| {
            let mut receives = Vec::new();
            for (place, message) in incoming.iter_mut().enumerate() {
                let process = self.world.process_at_rank(message.from as i32);
                for piece in message.bytes.chunks_mut(PIECE) {
                    receives.push((place, process.immediate_receive_into(scope, piece)));
                }
            }
            let mut sends = Vec::new();
            for message in outgoing {
                let process = self.world.process_at_rank(message.to as i32);
                // As many pieces as the receiver has made room for; the last ones may be empty.
                for piece in 0..message.room.div_ceil(PIECE) {
                    let end = message.bytes.len();
                    let range = (piece * PIECE).min(end)..((piece + 1) * PIECE).min(end);
                    sends.push(process.immediate_send(scope, &message.bytes[range]));
                }
            }
            let flags = self.world.immediate_all_reduce_into(scope, &flag, &mut any, SystemOperation::max());
            work();
            for (place, receive) in receives {
                lengths[place] += receive.wait().count(u8::equivalent_datatype()) as usize;
            }
            sends.into_iter().for_each(|send| send.wait_without_status());
            flags.wait_without_status();
        });
        (lengths, any != 0)
    }

    fn all_gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        // One byte more, so that no buffer is empty: the address of an empty one can be that of MPI_IN_PLACE.
        let padded = [bytes, &[0]].concat();
        let mut counts = vec![0i32; self.ranks()];
        self.world.all_gather_into(&(padded.len() as i32), &mut counts[..]);
        let starts: Vec<i32> = counts
            .iter()
            .scan(0, |next, count| {
                let start = *next;
                *next += count;
                Some(start)
            })
            .collect();
        let mut all = vec![0; counts.iter().sum::<i32>() as usize];
        self.world.all_gather_varcount_into(
            &padded[..],
            &mut PartitionMut::new(&mut all[..], &counts[..], &starts[..]),
        );
        let of_rank =
            |(&start, &count): (&i32, &i32)| all[start as usize..(start + count - 1) as usize].to_vec();
        starts.iter().zip(&counts).map(of_rank).collect()
    }

    fn abort(&self, code: u8) -> ! {
        self.world.abort(i32::from(code))
    }
}
