//! The words by which a report leaves open whether a file is there.

/// What was done to a file that is no longer there, or is as it was before.
pub(crate) const GONE: &str = " \
    removed deleted dropped discarded cleaned gone trashed erased purged thrown tossed unlinked rm rm'd rm'ed reverted \
    undone undid restored reset rolled backed taken stashed withdrawn retracted scrapped wiped \
    lost shelved replaced superseded swapped ";

/// What may stand between such a verb and its end: "backed it out".
pub(crate) const PARTICLES: &str =
    " back out away up off down it them this that one again ed afterwards ";

/// What may follow it: "deleted after the run", but not "deleted the run".
pub(crate) const MATTERS: &str = " \
    via with to after before once at per using during when from prior earlier previously right shortly manually automatically git ";

/// Verbs of somebody who weighs what to do, or only speaks of it.
pub(crate) const TRIED: &str = " \
    decided chose opted tried attempted wanted meant intended hoped experimented played toyed mentioned listed claimed \
    reported named quoted cited requested reserved ask ";

/// Verbs that tell of work: "I kept the API" is about the content.
pub(crate) const NARRATIVE: &str = " \
    wrote built made put used kept implemented wired introduced replaced split moved switched turned wrapped reused \
    documented covered tested verified ";

/// Nouns for a change, of which there is none.
pub(crate) const CHANGES: &str = " action actions diff diffs difference change changes update updates edit edits modification modifications write writes line lines ";

/// What happens to a write that does not take place.
pub(crate) const REFUSED: &str = " failed denied rejected refused blocked undone reverted dropped discarded declined aborted lost prevented ";

/// What a thing is that the file waits for: "the license is missing".
pub(crate) const OPEN_STATES: &str = " missing unavailable unclear unknown down broken ";

/// Words before a case that is handled: "returns 404 if the key is missing".
pub(crate) const CONDITIONS: &str =
    " if when where which that whose while because since unless until ";

/// What a file waits for.
pub(crate) const AWAITED: &str = " \
    approval review input sign decision confirmation permission permissions manual design discussion human \
    clarification your you follow further another more somebody someone ";

/// What happens to a text that is given to somebody instead of being written to a file.
pub(crate) const SENT: &str =
    " pushed posted attached published uploaded sent emailed mailed pasted submitted ";

/// Adverbs that make a plan of a possibility.
pub(crate) const ADVERBS: &str = " probably ideally eventually perhaps likely maybe ";

/// What is written for a while.
pub(crate) const SHORT_LIVED: &str = " \
    script scripts file files test tests helper helpers copy fixture module check notes note output code snippet repro \
    program aid ";

/// Words that leave it open if they are alone.
pub(crate) const ALONE: &str = " \
    recommended absent enoent nonexistent locked inaccessible unwritable unavailable identical rejected declined aborted \
    refused disallowed forbidden vetoed unsaved uncreated unwritten undecided unclear attempted superfluous redundant \
    obsolete moot irrelevant useless pointless premature tomorrow tonight soon someday eperm eacces erofs fine \
    withdrawn retracting retracted submodule ";

/// Groups of words that leave it open if they are all that is said.
pub(crate) const WHOLE: &str = "nice to have|stretch goal|open question|open issue|open point|\
    non existent|not apply|for v2|for v3|v2|v3|work item|for review|for discussion|for info|fyi|by hand|by someone|by others";

/// Beginnings of clauses that leave it open, whatever follows.
pub(crate) const BEGINNINGS: &str = "\
    turned out |ended up |gave up |existed |not kept |not retained |not preserved |not included |no such |in review |\
    under review |git checkout|git restore|git reset |git stash|no longer in |no longer part |no longer present |\
    no longer on |no longer exists |no longer there |no longer needed |no longer required |no longer relevant |ran out |\
    hit the limit|hit the token|comes with the |comes with a |comes from the |comes from a |kept out |left out |looks fine |looks good |\
    looks correct |there's no |there is no |there's nothing |worth a look|never got |never checked in |output of the |produced by |produced during |appears after |appears on |will appear |\
    renamed to |merged into |inlined into |inlined in |folded into |absorbed into |absorbed by |replaced by |\
    superseded by |moved to another |moved to the other |checked for |checked that |checked whether |checked if |verified that |\
    verified it |verified the |confirmed that |confirmed it |see pr |see ticket |see issue |on the backlog |nothing to |\
    not local |not tracked |not checked in |not versioned |not here |not saved |not stored |never written |never saved |never committed |no time |\
    no trace ";

/// What somebody does who puts a file off.
pub(crate) const PUT_OFF: &str = " deferred postponed parked declined rejected refused vetoed cancelled canceled denied abandoned audited ";
