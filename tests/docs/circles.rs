//! The modules of a crate do not import each other in a circle.
//!
//! What counts is what a file names from the root of its crate (`crate::a`) or from its parent
//! (`super::a`), in imports and elsewhere. What a module re-exports counts as its own. A parent that
//! names its own child (`a::b`, `self::a`) or re-exports it does not count, and a module inside a file
//! is part of it.
//!
//! A folder is looked at as one as well: what any module in it names, it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::top;

/// The names of a module from the root of its crate, which itself has none.
type Module = Vec<String>;
/// The modules, or folders, that each names.
type Imports<'f> = BTreeMap<&'f [String], BTreeSet<&'f [String]>>;

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = BTreeMap::new();
        read_modules(&folder.join("src"), &Module::new(), &mut files);
        assert!(!files.is_empty(), "{} has no modules", folder.display());
        let name = folder.file_name().unwrap().to_str().unwrap();
        let circles = circles(&files).into_iter();
        found.extend(circles.map(|circle| format!("{name}: {circle}")));
    }
    assert!(
        found.is_empty(),
        "import each other in a circle: {found:#?}"
    );
}

#[test]
fn circles_are_found_however_the_path_is_written() {
    let circles_of = |files: &[(&str, &str)]| {
        let module = |path: &str| path.split("::").map(str::to_owned).collect();
        let files = files.iter().map(|(path, text)| (module(path), code(text)));
        circles(&files.collect()).join("; ")
    };
    for (a, b) in [
        ("use crate::b::B;", "use super::a;"),
        ("use crate::{c, b::{B, D}};", "pub(crate) use super::a::A;"),
        ("fn f() { crate::b::g() }", "type A = super::a::A;"),
        (
            "mod inner {\n    use crate::b::B;\n}",
            "use crate::{\n    a::*,\n};",
        ),
    ] {
        let found = circles_of(&[("a", a), ("b", b), ("c", "")]);
        assert_eq!(found, "a, b", "{a} {b}");
    }
    for a in [
        "// as in crate::b::B",
        "#[cfg(test)]\n#[cfg(unix)]\nmod tests {\n    use crate::b::B;\n}",
        "#[cfg(test)]\nuse crate::b::B;",
        "mod b {\n    use super::b;\n}",
        "pub(in crate::b) fn f() {}",
        "use other::b::B;",
        "pub(crate) use crate::a::b::B;",
    ] {
        let child = ("a::b", "use crate::a::A;");
        let found = circles_of(&[("a", a), ("b", "use crate::a::A;"), child]);
        assert_eq!(found, "", "{a}");
    }
    let three = [
        ("x::a", "use super::b::B;"),
        ("x::b", "use crate::x::c;"),
        ("x::c", "use crate::x::{a::A, d};"),
        ("x::d", "use std::fmt;"),
    ];
    assert_eq!(circles_of(&three), "x::a, x::b, x::c");
    assert_eq!(circles_of(&three[1..]), "");
    let folders = [
        ("x::a", "use crate::y::a::A;"),
        ("x::b", "use super::c;"),
        ("x::c", "use super::super::z;"),
        ("y::a", ""),
        ("y::b", "use crate::x::b::B;"),
        ("z", "use crate::y;"),
    ];
    assert_eq!(circles_of(&folders), "x, y");
}

/// Adds the code of every module in a folder, except for modules of tests.
fn read_modules(folder: &Path, module: &Module, files: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "tests" {
            continue;
        }
        let mut inner = module.clone();
        if !matches!(name, "lib" | "main" | "mod") {
            inner.push(name.to_owned());
        }
        if path.is_dir() {
            read_modules(&path, &inner, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = code(&fs::read_to_string(&path).unwrap());
            files.entry(inner).or_default().push_str(&text);
        }
    }
}

/// A file without its comments, and without what is there for tests only.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    // The ends of the modules inside the file that the line is in.
    let mut open = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.split("//").next().unwrap_or_default();
        let item = line.trim_start();
        let end = format!("{}}}", &line[..line.len() - item.len()]);
        if item.starts_with("#[cfg(test)]") {
            let first = lines.find(|line| !line.trim_start().starts_with("#["));
            if first.is_some_and(|first| first.ends_with('{')) {
                lines.find(|line| line.starts_with(&end));
            }
            continue;
        }
        open.pop_if(|end| *end == line);
        if (item.starts_with("mod ") || item.starts_with("pub")) && item.ends_with('{') {
            let is_module = item.split_whitespace().rev().nth(2) == Some("mod");
            open.extend(is_module.then_some(end));
        }
        // To the modules inside it, the file is the parent.
        code.push_str(&if open.is_empty() {
            line.to_owned()
        } else {
            line.replace("super::", "self::")
        });
        code.push('\n');
    }
    code
}

/// The groups of modules that reach each other, each as the names of its modules.
fn circles(files: &BTreeMap<Module, String>) -> Vec<String> {
    let imports: Imports<'_> = files
        .iter()
        .map(|(module, code)| {
            let named = imports(module, code, files).into_iter();
            (module.as_slice(), named.map(Vec::as_slice).collect())
        })
        .collect();
    let mut found = circles_in(&imports);
    found.extend(circles_in(&between_folders(&imports)));
    found.into_iter().collect()
}

/// What stands beside each other in one folder, with everything that is in it, and what of that names what.
fn between_folders<'f>(imports: &Imports<'f>) -> Imports<'f> {
    let mut folders = Imports::new();
    for (module, others) in imports {
        for other in others {
            let is_shared = |(a, b): &(&String, &String)| a == b;
            let shared = module.iter().zip(*other).take_while(is_shared).count();
            if let (Some(from), Some(to)) = (module.get(..=shared), other.get(..=shared)) {
                folders.entry(to).or_default();
                folders.entry(from).or_default().insert(to);
            }
        }
    }
    folders
}

fn circles_in(imports: &Imports<'_>) -> BTreeSet<String> {
    let reached: BTreeMap<_, _> = imports
        .keys()
        .map(|module| (*module, reach(module, imports)))
        .collect();
    let mut circles = BTreeSet::new();
    for (module, others) in &reached {
        let circle: Vec<_> = others
            .iter()
            .filter(|other| reached[*other].contains(module))
            .map(|other| other.join("::"))
            .collect();
        if !circle.is_empty() {
            circles.insert(circle.join(", "));
        }
    }
    circles
}

/// Every module that can be reached from one by following imports.
fn reach<'f>(from: &[String], imports: &Imports<'f>) -> BTreeSet<&'f [String]> {
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<_> = imports[from].iter().copied().collect();
    while let Some(module) = ahead.pop() {
        if reached.insert(module) {
            ahead.extend(&imports[module]);
        }
    }
    reached
}

/// The other modules that a module names.
fn imports<'f>(
    module: &Module,
    code: &str,
    files: &'f BTreeMap<Module, String>,
) -> BTreeSet<&'f Module> {
    let is_inside = |before: &str| {
        before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'))
            || before.ends_with("(in ")
    };
    let starts = ["crate::", "super::"].map(|start| code.match_indices(start));
    let starts = starts
        .into_iter()
        .flatten()
        .map(|(at, _)| code.split_at(at));
    let mut imports = BTreeSet::new();
    for (before, tree) in starts.filter(|(before, _)| !is_inside(before)) {
        let start = before.rsplit('\n').next().unwrap_or_default().trim();
        let is_reexport = start.starts_with("pub") && start.ends_with("use");
        let mut paths = Vec::new();
        add_paths(tree, &Module::new(), &mut paths);
        let named = paths.iter().filter_map(|path| named(module, path, files));
        imports.extend(named.filter(|named| !is_reexport || !named.starts_with(module)));
    }
    imports.remove(module);
    imports
}

/// The module that a path in `module` names, or names an item of.
fn named<'f>(
    module: &Module,
    path: &[String],
    files: &'f BTreeMap<Module, String>,
) -> Option<&'f Module> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let base: &[String] = match ups {
        0 => &[],
        ups => &module[..module.len().checked_sub(ups)?],
    };
    let named = [base, &path[ups.max(1)..]].concat();
    let mut ends = (0..=named.len()).rev();
    let (named, _) = ends.find_map(|end| files.get_key_value(&named[..end]))?;
    Some(named)
}

/// Adds each path of a tree like `crate::{a::{B, C}, d}`, and returns the text behind it.
fn add_paths<'c>(tree: &'c str, above: &Module, paths: &mut Vec<Module>) -> &'c str {
    let mut path = above.clone();
    let mut rest = tree.trim_start();
    loop {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        // Behind the last comma.
        if rest.starts_with('}') {
            return rest;
        }
        path.push(rest[..end].to_owned());
        rest = &rest[end..];
        let Some(next) = rest.strip_prefix("::") else {
            break;
        };
        rest = next;
        if let Some(mut inside) = rest.strip_prefix('{') {
            loop {
                inside = add_paths(inside, &path, paths);
                let end = inside.find([',', '}']).unwrap_or(inside.len());
                let is_more = inside[end..].starts_with(',');
                inside = inside.get(end + 1..).unwrap_or_default();
                if !is_more {
                    return inside;
                }
            }
        }
    }
    paths.push(path);
    rest
}
