//! The bill of materials in the form of `CycloneDX`: every library that the program is built from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::{Outcome, Release, printed};

pub(super) fn write(release: &Release) -> Outcome<()> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(&release.top)
        .args(["metadata", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&printed(&mut cargo)?)?;
    let bill = of(&metadata, &checksums(release)?)?;
    let file = release.out.join(release.name(".cdx.json"));
    Ok(fs::write(
        file,
        serde_json::to_string_pretty(&bill)? + "\n",
    )?)
}

/// Name and version of each library, and the checksum of its source.
fn checksums(release: &Release) -> Outcome<BTreeMap<(String, String), String>> {
    let lock = fs::read_to_string(release.top.join("Cargo.lock"))?;
    let entries = lock.split("[[package]]").skip(1).filter_map(|entry| {
        let value = |name: &str| {
            let mut lines = entry.lines();
            let line = lines.find_map(|line| line.strip_prefix(&format!("{name} = \"")))?;
            line.strip_suffix('"').map(str::to_owned)
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    });
    Ok(entries.collect())
}

fn of(metadata: &Value, checksums: &BTreeMap<(String, String), String>) -> Outcome<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let by_id: BTreeMap<_, _> = packages.iter().map(|it| (text(&it["id"]), it)).collect();
    let root = packages.iter().find(|package| package["name"] == "attest");
    let root = root.ok_or("cargo knows no package attest")?;
    let needs: BTreeMap<_, _> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| (text(&node["id"]), built_with(node)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![text(&root["id"])];
    while let Some(id) = open.pop() {
        if seen.insert(id.clone()) {
            open.extend(needs.get(&id).into_iter().flatten().cloned());
        }
    }
    let mut known: Vec<_> = seen
        .iter()
        .filter_map(|id| Some((by_id.get(id)?, needs.get(id)?)))
        .collect();
    known.sort_by_key(|(package, _)| reference(package));
    let others = known.iter().filter(|(package, _)| *package != &root);
    let components: Vec<_> = others
        .map(|(package, _)| component(package, checksums))
        .collect();
    let dependencies: Vec<_> = known
        .iter()
        .map(|(package, needs)| {
            let mut on: Vec<_> = needs
                .iter()
                .filter_map(|id| by_id.get(id).map(|it| reference(it)))
                .collect();
            on.sort();
            json!({ "ref": reference(package), "dependsOn": on })
        })
        .collect();
    let mut own = component(root, checksums);
    own["type"] = "application".into();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": own },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The packages that a node of cargo's graph is built with, those of tests left out.
fn built_with(node: &Value) -> BTreeSet<String> {
    let needs = node["deps"].as_array().into_iter().flatten();
    let is_built = |need: &&Value| {
        let mut kinds = need["dep_kinds"].as_array().into_iter().flatten();
        kinds.any(|kind| kind["kind"] != "dev")
    };
    needs
        .filter(is_built)
        .map(|need| text(&need["pkg"]))
        .collect()
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": name,
        "version": version,
        "purl": reference(package),
    });
    if let Some(license) = package["license"].as_str() {
        // A slash between two is how some libraries have written this.
        let expression = license.replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    if let Some(sum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    component
}

/// The name that other tools have for a package.
fn reference(package: &Value) -> String {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    format!("pkg:cargo/{name}@{version}")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_tests_need_is_not_in_the_bill() {
        let need =
            |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let package = |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" });
        let metadata = json!({
            "packages": [package("attest"), package("used"), package("build"), package("test"), package("deep")],
            "resolve": { "nodes": [
                { "id": "attest", "deps": [need("used", Value::Null), need("build", "build".into()), need("test", "dev".into())] },
                { "id": "used", "deps": [need("deep", Value::Null)] },
                { "id": "build", "deps": [] },
                { "id": "test", "deps": [] },
                { "id": "deep", "deps": [] },
            ]},
        });
        let sums = BTreeMap::from([(("used".to_owned(), "1.0.0".to_owned()), "ab".to_owned())]);
        let bill = of(&metadata, &sums).unwrap();
        let names: Vec<_> = bill["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|component| text(&component["name"]))
            .collect();
        assert_eq!(names, ["build", "deep", "used"]);
        assert_eq!(bill["components"][2]["hashes"][0]["content"], "ab");
        assert_eq!(
            bill["components"][2]["licenses"][0]["expression"],
            "MIT OR Apache-2.0"
        );
        assert_eq!(bill["metadata"]["component"]["name"], "attest");
        assert_eq!(
            bill["dependencies"][3]["dependsOn"],
            json!(["pkg:cargo/deep@1.0.0"])
        );
    }
}
