//! What Scoop and winget read to install the archive for Windows.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Outcome, Release, archive, packaged};

/// The version of the forms that winget has for its files.
const FORMS: &str = "1.6.0";

/// Writes them beside the archive.
pub(super) fn write(release: &Release, archive: &Path) -> Outcome<()> {
    let name = archive.file_name().ok_or("no name")?.display().to_string();
    let file = File {
        url: format!(
            "{}/releases/download/v{}/{name}",
            release.home, release.version
        ),
        folder: name.trim_end_matches(".zip").to_owned(),
        sum: archive::sha256(archive)?,
    };
    let scoop = serde_json::to_string_pretty(&scoop(release, &file))? + "\n";
    fs::write(release.out.join("attest.scoop.json"), scoop)?;
    let owner = owner(&release.home);
    for (kind, fields) in winget(release, &file, &owner) {
        let place = release.out.join(format!("{owner}.attest{kind}.yaml"));
        fs::write(place, yaml(&fields, ""))?;
    }
    Ok(())
}

/// What is installed.
struct File {
    url: String,
    /// The one folder in the archive.
    folder: String,
    sum: String,
}

fn scoop(release: &Release, file: &File) -> Value {
    let any = |text: &str| text.replace(&release.version, "$version");
    json!({
        "version": release.version,
        "description": packaged::SUMMARY,
        "homepage": release.home,
        "license": "MIT",
        "notes": packaged::NOTES,
        "suggest": {"git": "git"},
        "architecture": {"64bit": {
            "url": file.url,
            "hash": file.sum,
            "extract_dir": file.folder,
        }},
        "bin": "attest.exe",
        "checkver": {"url": format!("{}/releases/latest", release.home), "regex": "/v([\\d.]+)"},
        "autoupdate": {"architecture": {"64bit": {
            "url": any(&file.url),
            "extract_dir": any(&file.folder),
            "hash": {"url": "$baseurl/SHA256SUMS"},
        }}},
    })
}

/// The end of the name of each of its three files, and the fields in it.
fn winget(release: &Release, file: &File, owner: &str) -> [(&'static str, Value); 3] {
    let with = |kind: &str, more: Value| {
        let mut all = json!({
            "PackageIdentifier": format!("{owner}.attest"),
            "PackageVersion": release.version,
        });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
            all.insert("ManifestType".to_owned(), kind.into());
            all.insert("ManifestVersion".to_owned(), FORMS.into());
        }
        all
    };
    let installer = json!({
        "InstallerType": "zip",
        "NestedInstallerType": "portable",
        "NestedInstallerFiles": [{
            "RelativeFilePath": format!("{}\\attest.exe", file.folder),
            "PortableCommandAlias": "attest",
        }],
        "Dependencies": {"PackageDependencies": [{"PackageIdentifier": "Git.Git"}]},
        "Installers": [{
            "Architecture": "x64",
            "InstallerUrl": file.url,
            "InstallerSha256": file.sum.to_uppercase(),
        }],
    });
    let locale = json!({
        "PackageLocale": "en-US",
        "Publisher": owner,
        "PackageName": "attest",
        "PackageUrl": release.home,
        "License": "MIT",
        "ShortDescription": packaged::SUMMARY,
        "InstallationNotes": packaged::NOTES,
    });
    [
        ("", with("version", json!({"DefaultLocale": "en-US"}))),
        (".installer", with("installer", installer)),
        (".locale.en-US", with("defaultLocale", locale)),
    ]
}

/// Who publishes it, by the place: winget puts that before the name.
fn owner(home: &str) -> String {
    let (_, place) = home.split_once("://").unwrap_or(("", home));
    let mut parts = place.split('/').rev().skip(1);
    let owner = parts.next().unwrap_or(place);
    owner.split('.').next().unwrap_or(owner).to_owned()
}

/// Each text in the quotes of JSON, which YAML reads alike.
fn yaml(value: &Value, indent: &str) -> String {
    let deeper = format!("{indent}  ");
    let below = |value: &Value| match value {
        Value::Object(_) | Value::Array(_) => format!("\n{}", yaml(value, &deeper)),
        plain => format!(" {plain}\n"),
    };
    let mut text = String::new();
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                text.push_str(&format!("{indent}{name}:{}", below(value)));
            }
        }
        Value::Array(items) => {
            for item in items {
                let item = yaml(item, &deeper);
                text.push_str(&format!("{indent}- {}", item.trim_start()));
            }
        }
        plain => text.push_str(&format!("{indent}{plain}\n")),
    }
    text
}

#[cfg(test)]
mod tests;
