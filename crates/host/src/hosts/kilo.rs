//! Kilo, which began as `OpenCode` and runs its plugins, observed in 7.7.7: the same page, in another folder.

use super::opencode::{self, OpenCode};
use crate::executable::{Executable, Support, Version};
use crate::settings::{OwnedFile, OwnedFolder, Package};

/// Kilo.
pub(super) static KILO: OpenCode = OpenCode {
    profile: &opencode::profile(
        Executable {
            title: "Kilo",
            name: "kilo",
            support: Support::tested(Version(7, 7, 7), Version(7, 7, 7)),
        },
        &PLUGIN,
        &PACKAGE,
    ),
};

const PAGE: OwnedFile = OwnedFile {
    name: "attest.js",
    template: concat!(
        include_str!("kilo/head.js"),
        include_str!("opencode/attest.js"),
        include_str!("program.js")
    ),
    head: "// attest's hooks for Kilo.",
    hooks: opencode::HOOKS,
};

static PACKAGE: Package = Package {
    files: &[
        PAGE,
        OwnedFile {
            name: "package.json",
            template: include_str!("kilo/package.json"),
            head: "{\n  \"name\": \"attest-kilo\",",
            hooks: &[],
        },
        OwnedFile {
            name: "README.md",
            template: include_str!("kilo/README.md"),
            head: "# attest for Kilo\n",
            hooks: &[],
        },
    ],
    has_launcher: false,
};

static PLUGIN: OwnedFolder = OwnedFolder {
    harness: "kilo",
    variable: Some("KILO_CONFIG_DIR"),
    folder: ".config/kilo",
    inside: "plugin",
    project: Some(".kilo/plugin"),
    is_own: false,
    files: &[PAGE],
    hooks: opencode::HOOKS,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugin_calls_with_the_name_of_its_own_host() {
        let name = "const HARNESS = \"kilo\";";
        assert!(PAGE.template.contains(name));
        assert!(!PAGE.template.contains("\"opencode\""));
    }
}
