//! Packs in which objects are stored as what differs from each other, and nothing is whole: no reader comes to an end
//! that follows them.

use std::fs;
use std::path::Path;

use super::limited::Limited;
use crate::common::TestContext;
use crate::common::scene::settle;

/// Data in the form that is not compressed, whose sum nobody looks at.
fn stored(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    let mut bytes = vec![0x78, 1, 1];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(data);
    bytes.extend([0; 4]);
    bytes
}

/// Puts `count` objects into a pack of the repository, of which each differs from the next, and the last from the first.
fn plant(root: &Path, count: u16) {
    let name = |number: u16| [&number.to_be_bytes()[..], &[7; 18]].concat();
    let delta = [5, 5, 0x91, 0, 5];
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend(u32::from(count).to_be_bytes());
    let mut offsets = Vec::new();
    for number in 0..count {
        offsets.extend(u32::try_from(pack.len()).unwrap().to_be_bytes());
        pack.push(7 << 4 | 5);
        pack.extend(name((number + 1) % count));
        pack.extend(stored(&delta));
    }
    pack.extend([0; 20]);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=u8::MAX {
        let upto = (u32::from(first) + 1) * 256;
        index.extend(upto.min(count.into()).to_be_bytes());
    }
    index.extend((0..count).flat_map(name));
    index.extend(vec![0; 4 * usize::from(count)]);
    index.extend(offsets);
    index.extend([0; 40]);
    let folder = root.join(".git/objects/pack");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("pack-circle.pack"), pack).unwrap();
    fs::write(folder.join("pack-circle.idx"), index).unwrap();
}

#[test]
fn a_circle_that_nothing_leads_to_hides_no_ghost() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    plant(&root, 3);
    settle();
    let liar = Limited::new(&context, &root, "liar");
    liar.start();
    fs::write(root.join("a.py"), "2").unwrap();
    let reason = liar.stop("a.py, ghost.py").assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("a.py\""),
        "{reason}"
    );
    fs::write(root.join("a.py"), "1").unwrap();
    let honest = Limited::new(&context, &root, "honest");
    honest.start();
    fs::write(root.join("a.py"), "3").unwrap();
    honest.stop("a.py").assert_allowed("-> OK");
}

/// They may be work, so nothing is missing for certain.
#[test]
fn circles_that_come_while_an_agent_works_cost_no_more_than_the_budget() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    for count in [1, 2, 5_000, 19_000] {
        settle();
        let id = format!("agent-{count}");
        let agent = Limited::new(&context, &root, &id);
        agent.start();
        plant(&root, count);
        let stop = agent.stop("a.py, ghost.py");
        assert_eq!(stop.block(), None, "{count}");
        let said = stop.0.stderr;
        assert!(said.contains("ghost.py"), "it is told all the same: {said}");
        fs::remove_dir_all(root.join(".git/objects/pack")).unwrap();
    }
}

#[test]
fn a_branch_that_leads_into_a_circle_is_said_to() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    settle();
    let agent = Limited::new(&context, &root, "agent");
    agent.start();
    plant(&root, 3);
    let name = format!("0001{}", "07".repeat(18));
    fs::write(root.join(".git/refs/heads/main"), format!("{name}\n")).unwrap();
    let stop = agent.stop("ghost.py");
    assert_eq!(stop.block(), None);
    assert!(stop.0.stderr.contains(&name), "{stop:#?}");
}
