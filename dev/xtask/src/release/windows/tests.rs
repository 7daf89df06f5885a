//! The schemas are those of others, and are not in this repository: what is checked is what both require.

use super::super::tests::World;
use super::*;

/// The files of a release of an archive that has the four letters "file" in it.
fn written() -> (World, Value, Vec<(String, String)>) {
    let world = World::new();
    let out = &world.release.out;
    let archive = out.join("attest-1.2.3-x86_64-pc-windows-gnu.zip");
    fs::write(&archive, "file").unwrap();
    write(&world.release, &archive).unwrap();
    let text = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let scoop = serde_json::from_str(&text("attest.scoop.json")).unwrap();
    let winget = [
        "owner.attest.yaml",
        "owner.attest.installer.yaml",
        "owner.attest.locale.en-US.yaml",
    ];
    let winget = winget.map(|name| (name.to_owned(), text(name)));
    (world, scoop, winget.to_vec())
}

const URL: &str = "https://git.invalid/owner/attest/releases/download/v1.2.3/attest-1.2.3-x86_64-pc-windows-gnu.zip";
/// That of "file".
const SUM: &str = "3b9c358f36f0a31b6ad3e14f309c7cf198ac9246e8316f9ce543d5b19ac02b80";

#[test]
fn scoop_has_all_that_it_requires_and_nothing_that_it_does_not_know() {
    let (_world, scoop, _) = written();
    // All that its schema requires, and what the buckets ask for.
    for (name, value) in [
        ("version", "1.2.3"),
        ("homepage", "https://git.invalid/owner/attest"),
        ("license", "MIT"),
        ("bin", "attest.exe"),
    ] {
        assert_eq!(scoop[name], value);
    }
    let file = &scoop["architecture"]["64bit"];
    assert_eq!(file["url"], URL);
    assert_eq!(file["hash"], SUM);
    assert_eq!(file["extract_dir"], "attest-1.2.3-x86_64-pc-windows-gnu");
    let next = &scoop["autoupdate"]["architecture"]["64bit"];
    assert_eq!(next["url"], URL.replace("1.2.3", "$version"));
    let known = [
        "version",
        "description",
        "homepage",
        "license",
        "notes",
        "suggest",
        "architecture",
        "bin",
        "checkver",
        "autoupdate",
    ];
    for name in scoop.as_object().unwrap().keys() {
        assert!(known.contains(&name.as_str()), "{name}");
    }
    // Nothing is run when it is installed: hooks come by `attest install`.
    assert!(scoop["notes"].as_str().unwrap().contains("added no hooks"));
}

#[test]
fn winget_has_all_that_each_of_its_three_forms_requires() {
    let (_world, _, winget) = written();
    let required: [(&str, &[&str]); 3] = [
        ("version", &["DefaultLocale: \"en-US\""]),
        (
            "installer",
            &[
                "InstallerType: \"zip\"",
                "NestedInstallerType: \"portable\"",
                "RelativeFilePath: \"attest-1.2.3-x86_64-pc-windows-gnu\\\\attest.exe\"",
                "PortableCommandAlias: \"attest\"",
                "- Architecture: \"x64\"",
            ],
        ),
        (
            "defaultLocale",
            &[
                "PackageLocale: \"en-US\"",
                "Publisher: \"owner\"",
                "PackageName: \"attest\"",
                "License: \"MIT\"",
                "ShortDescription: ",
            ],
        ),
    ];
    for ((name, text), (kind, fields)) in winget.iter().zip(required) {
        let kind = format!("ManifestType: \"{kind}\"");
        let of_all = [
            "PackageIdentifier: \"owner.attest\"",
            "PackageVersion: \"1.2.3\"",
            "ManifestVersion: \"1.6.0\"",
            &kind,
        ];
        for field in of_all.iter().chain(fields) {
            assert!(text.contains(field), "{name} lacks {field}:\n{text}");
        }
    }
    let installer = &winget[1].1;
    assert!(installer.contains(&format!("InstallerUrl: \"{URL}\"")));
    let sum = SUM.to_uppercase();
    assert!(installer.contains(&format!("InstallerSha256: \"{sum}\"")));
    // It takes no longer a short description.
    assert!(packaged::SUMMARY.len() <= 256);
}

#[test]
fn the_owner_is_a_part_of_the_place() {
    assert_eq!(owner("https://github.com/somebody/attest"), "somebody");
    assert_eq!(owner(crate::release::NOWHERE), "attest");
}
