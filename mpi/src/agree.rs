//! Checks that all ranks make the same call: one small all-reduce before any data moves.

use mpi::collective::SystemOperation;
use mpi::topology::Rank;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};

use crate::error::Error;

/// What the ranks must agree on, as text: pairs of a name and the value on this rank.
pub(crate) type Facts = Vec<(&'static str, String)>;

/// Maximum number of facts, including the name of the call.
const MAX_FACTS: usize = 8;
/// Maximum number of bytes of a differing fact that are shown to other ranks.
const MAX_TEXT_BYTES: usize = 1024;

/// Compares the facts of all ranks and propagates an error of any rank to all ranks.
///
/// This takes one all-reduce of 17 integers: the minimum of the hash of each fact, the minimum of its
/// complement, and the lowest rank with an error. The name of the call and all arguments are facts,
/// so ranks in different calls are detected too. More data is exchanged only if there is an error.
///
/// # Errors
///
/// The same error on all ranks: their own error if all ranks have the same one, otherwise
/// [`Error::OnRank`] or [`Error::Disagreement`].
pub(crate) fn agree(
    comm: &impl Communicator,
    call: &'static str,
    facts: Result<Facts, Error>,
) -> Result<(), Error> {
    let rank = comm.rank();
    let (own_error, facts) = match facts {
        Ok(facts) => (None, facts),
        Err(error) => (Some(error), Vec::new()),
    };
    // A rank with an error reports the error in place of the call.
    let first =
        own_error.as_ref().map_or_else(|| call.to_owned(), |error| format!("error: {error}"));
    let all: Vec<(&'static str, String)> = std::iter::once(("call", first)).chain(facts).collect();
    assert!(all.len() <= MAX_FACTS, "the facts of a call");
    let mut hashes = [0u64; MAX_FACTS];
    for (hash, (_, fact)) in hashes.iter_mut().zip(&all) {
        *hash = fnv(fact);
    }
    let mut sent = [u64::MAX; 2 * MAX_FACTS + 1];
    for (i, &hash) in hashes.iter().enumerate() {
        (sent[i], sent[MAX_FACTS + i]) = (hash, !hash);
    }
    sent[2 * MAX_FACTS] = if own_error.is_some() { rank as u64 } else { u64::MAX };
    let mut minima = sent;
    comm.all_reduce_into(&sent[..], &mut minima[..], SystemOperation::min());

    let failed_rank = minima[2 * MAX_FACTS];
    if failed_rank != u64::MAX {
        let same_on_all = minima[0] == !minima[MAX_FACTS];
        if let (true, Some(error)) = (same_on_all, &own_error) {
            return Err(error.clone());
        }
        let failed_rank = Rank::try_from(failed_rank).unwrap_or_default();
        let text = own_error.map(|error| error.to_string()).unwrap_or_default();
        return Err(Error::OnRank {
            rank: failed_rank,
            message: broadcast_text(comm, failed_rank, &text),
        });
    }
    let Some(i) = (0..MAX_FACTS).find(|&i| minima[i] != !minima[MAX_FACTS + i]) else {
        return Ok(());
    };
    // The lowest rank with the minimum hash, and the lowest rank with the maximum hash.
    let rank_if = |same: bool| if same { rank as u64 } else { u64::MAX };
    let sent = [rank_if(hashes[i] == minima[i]), rank_if(hashes[i] == !minima[MAX_FACTS + i])];
    let mut ranks = sent;
    comm.all_reduce_into(&sent[..], &mut ranks[..], SystemOperation::min());
    let mut ranks = ranks.map(|rank| Rank::try_from(rank).unwrap_or_default());
    ranks.sort_unstable();
    let text = all.get(i).map_or("", |(_, fact)| fact);
    let said = ranks.map(|rank| broadcast_text(comm, rank, text));
    // Facts of the same call have the same names at the same indices.
    let what = all.get(i).map_or("call", |(name, _)| name);
    Err(Error::Disagreement { what, ranks, said })
}

/// Broadcasts the text of one rank to all ranks.
fn broadcast_text(comm: &impl Communicator, rank: Rank, text: &str) -> String {
    let mut bytes = [0u8; MAX_TEXT_BYTES];
    let text = text.as_bytes();
    let len = text.len().min(MAX_TEXT_BYTES);
    bytes[..len].copy_from_slice(&text[..len]);
    comm.process_at_rank(rank).broadcast_into(&mut bytes[..]);
    let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(MAX_TEXT_BYTES);
    String::from_utf8_lossy(&bytes[..len]).into_owned()
}

/// FNV-1a hash: the same value on all ranks, on any machine.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
