//! What a repository was at the start or at the stop, in short.

use std::collections::BTreeSet;

use attest_host::hosts;
use attest_host::settings::Places;
use attest_snapshot::WorkTree;
use attest_verdict::Side;

/// It in short.
pub(super) fn side(tree: &WorkTree) -> Side {
    Side {
        taken_at: tree.taken_at.wall_ns,
        head: tree.head.oid.clone(),
        branch: tree.head.branch.clone(),
        differing: tree.files.len(),
        of_hosts: of_hosts(tree),
    }
}

/// How many of the paths that differ are files of hosts in which `attest install --project` writes.
fn of_hosts(tree: &WorkTree) -> usize {
    if tree.files.is_empty() {
        return 0;
    }
    let places = Places {
        variable: &|_| None,
        home: None,
        project: Some(tree.root.clone()),
    };
    let files = hosts::ALL
        .iter()
        .flat_map(|host| host.wiring().files(&places));
    let own: BTreeSet<_> = files.map(|file| file.path).collect();
    let places = tree.files.keys().filter_map(|path| path.under(&tree.root));
    places.filter(|place| own.contains(place)).count()
}
