//! The words that decide how a text is read: what files are called, and what is said about them.
//!
//! A list here can make a reading certain or rule one out. It never makes a path of a word that
//! does not have the shape of one.

pub(crate) mod denials;
pub(crate) mod hedges;
pub(crate) mod meta;

use crate::Operation;

/// Extensions that show that a word is a file wherever it occurs.
const EXTENSIONS: &str = " \
    adb ads adoc agda applescript apex arb asciidoc asm aspx astro au3 avi avif awk \
    bash bat bats bib blade bmp bz2 bzl c c++ cairo cc cfg circom cjs clj cljc cljs cls cmake cmd cob \
    coffee comp conf cpp cr crt cs cshtml csproj csr css csv cu cue cuh cxx cts \
    dart dbml deb desktop dhall diff dockerfile doc docx dpr drawio dtd edn eex ejs el elm \
    entitlements eot eps erb erl ex exe exs f90 f95 fbx feature fish frag fs fsi fsproj fsx ftl \
    gd gemspec gif glb glsl gltf go gql gradle graphql graphqls groovy gz \
    h haml handlebars har hbs hcl heex hh hlsl hpp hrl hs htm html hxx \
    ico idr iml ini inl ipp ipynb iso j2 jar java jinja jinja2 jl jpeg jpg js json json5 jsonc \
    jsonl jsonnet jsp jsx kt kts leex less lhs libsonnet liquid lisp lock lua \
    mak markdown md mdc mdx metal mjs mk ml mli mm mmd mov mp3 mp4 msi mts mustache mysql \
    ndjson nim ninja nix njk nuspec odt ogg otf pas patch pbxproj pdf pem php phtml pkl pl plist \
    pm png po podspec pot pptx prisma properties proto ps1 psd psd1 psm1 pug puml purs py pyi pyw \
    pyx pxd qmd r rake razor rb rd rego resx rkt rmd rs rst rtf \
    sass sbt scala scm scpt scss sh sln slnx snap sol sql sqlite star storyboard strings styl sum \
    sv svelte svg svh swift tar tcl tex text tf tfstate tfvars tgz thrift tiff tmpl toml tpl trigger \
    ts tscn tsv tsx ttf twig txt unity vb vbproj vert vhd vhdl vim vue vy \
    war wasm wat wav webm webp wgsl whl woff woff2 xaml xcconfig xcscheme xib xls xlsx xlf xliff xml \
    xsd xsl xslt xz yaml yml zig zip cbl cpy dts dtsi rbs parquet webmanifest kdl ps plantuml lkml rbi zsh ";

/// Extensions that are also words or the ends of expressions, as in `console.log`. They count only
/// after a folder.
const WEAK_EXTENSIONS: &str = " \
    a asset backup bak bin config d dat data db do dot env example f for http in inc ini key lib lic \
    list local log m map mat mod mo new o obj old org orig out p pro pub rc re res rest ru rules s \
    sample so socket spec state svc t template test timer tmp v work service target ";

/// Names of products, and expressions, that end like a file.
const PRODUCTS: &str = " \
    res.json req.json self.json ctx.json \
    alpine.js angular.js asp.net backbone.js chart.js d3.js discord.js ember.js express.js handlebars.js \
    knockout.js moment.js mustache.js nest.js next.js node.js nuxt.js p5.js pdf.js preact.js react.js \
    socket.io solid.js three.js underscore.js vue.js web3.js ";

/// Well-known file names without an extension.
const BARE_NAMES: &str = " \
    makefile gnumakefile dockerfile containerfile gemfile rakefile \
    procfile justfile vagrantfile jenkinsfile brewfile podfile fastfile appfile tiltfile \
    caddyfile guardfile capfile go.mod go.work build.bazel workspace.bazel \
    .gitignore .gitattributes .gitmodules .gitkeep .keep .mailmap .env .envrc .npmrc .npmignore .nvmrc \
    .yarnrc .pnpmfile .editorconfig .eslintrc .eslintignore .prettierrc .prettierignore .babelrc \
    .stylelintrc .browserslistrc .dockerignore .helmignore .htaccess .bashrc .zshrc .profile \
    .tool-versions .python-version .node-version .ruby-version .java-version .flake8 .pylintrc \
    .coveragerc .rspec .clang-format .clang-tidy .swiftlint .luacheckrc .vimrc .gitconfig .inputrc ";

/// The same, but only in capitals; otherwise they are ordinary words.
const CAPITAL_NAMES: &str = " \
    LICENSE LICENCE README CHANGELOG CODEOWNERS NOTICE AUTHORS CONTRIBUTING CONTRIBUTORS ";

/// A complete file name that has no extension.
pub(crate) fn is_bare_name(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    is_in(BARE_NAMES, &lower)
        || is_in(CAPITAL_NAMES, word)
        || lower.starts_with(".env.")
        || lower.starts_with("dockerfile.")
        || lower.starts_with("makefile.")
}

/// Whether the extension alone shows that a name is a file.
pub(crate) fn is_extension(extension: &str) -> bool {
    is_in(EXTENSIONS, extension)
        || is_capital(extension) && is_in(EXTENSIONS, &extension.to_ascii_lowercase())
}

/// "README.MD" and "analysis.Rmd" are files, "System.Text.Json" is a name in a program.
fn is_capital(extension: &str) -> bool {
    !extension.contains(|c: char| c.is_ascii_lowercase())
        || extension.starts_with('R')
        || extension == "Dockerfile"
}

/// Whether the extension shows it after a folder.
pub(crate) fn is_weak_extension(extension: &str) -> bool {
    is_in(WEAK_EXTENSIONS, &extension.to_ascii_lowercase())
}

pub(crate) fn is_product(word: &str) -> bool {
    is_in(PRODUCTS, &word.to_ascii_lowercase())
}

/// What a word says was done to a file: "created", "Modify", "new".
pub(crate) fn change(word: &str) -> Option<Operation> {
    const CREATED: &str = " created create creates added add adds new newly generated generate wrote \
        introduced scaffolded implemented implement extracted ";
    const DELETED: &str = " deleted delete deletes del removed remove removes dropped ";
    const CHANGED: &str = " modified modify modifies changed change changes updated update updates edited \
        edit edits rewrote rewritten written touched fixed fix fixes refactored refactor extended renamed \
        rename moved move patched reworked adjusted tweaked affected replaced converted migrated mod upd chg \
        formatted reformatted cleaned simplified improved expanded bumped merged ported ";
    let lower = word.to_ascii_lowercase();
    [
        (CREATED, Operation::Created),
        (DELETED, Operation::Deleted),
        (CHANGED, Operation::Changed),
    ]
    .into_iter()
    .find_map(|(words, operation)| is_in(words, &lower).then_some(operation))
}

/// Parts of a project that serve as the head of a list of files: "Backend", "Tests".
pub(crate) fn is_area(word: &str) -> bool {
    const AREAS: &str = " \
        api app apps application assets auth authentication backend build ci cli client code common \
        component components config configs configuration core css data database db deployment dev docs \
        documentation e2e endpoints examples feature features frontend handlers helpers hooks html \
        i18n infra infrastructure integration js lib libs library locales logic migration migrations \
        misc miscellaneous mobile model models module modules other others package packages page pages \
        production project python resources root routes routing rust schema schemas scripts sdk server \
        service services shared source sources src store style styles styling template templates test \
        testing tests tooling tools types typescript typings ui unit util utilities utils views web \
        website workflows workspace layer files file ";
    is_in(AREAS, &word.to_ascii_lowercase())
}

/// Areas that have other things than files: "Endpoints", "Packages".
pub(crate) fn is_area_of_things(word: &str) -> bool {
    const THINGS: &str = " \
        endpoints routes packages package project features feature examples environment build dev production deployment \
        data database db workflow workflows workspace resources hooks \
        service services model models ";
    is_in(THINGS, &word.to_ascii_lowercase())
}

/// Words in a title below which nothing is claimed any more: plans, notes, files that were only
/// read.
pub(crate) fn ends_a_list(word: &str) -> bool {
    const TITLES: &str = " \
        next todo todos follow followup followups remaining future later upcoming open outstanding \
        question questions issue issues known risk risks note notes summary overview verification verify \
        verified validation result results output outputs decision decisions rationale reason reasons why \
        context background reference references related read reviewed inspected considered recommended \
        recommend recommendation recommendations suggest suggestion suggestions suggested propose consider blocker blockers blocked \
        you your i we if please manual manually require requires required idea ideas optional stretch roadmap \
        backlog wont expected \
        limitation limitations caveat caveats concern concerns warning warnings evidence log logs command \
        commands run ran steps how what usage details detail highlights checks checklist \
        conclusion acceptance criteria coverage failures failing passed see also missing needed \
        dependencies dependency testing relevant owned impact behavior behaviour status tasks plan planned artifacts cleanup example examples template left ";
    is_in(TITLES, &word.to_ascii_lowercase())
}

/// Words of a label that mentions a file in passing: "Based on: a.py", "Input: data.csv".
pub(crate) fn refers(word: &str) -> bool {
    const WORDS: &str = " \
        from on by with uses used using imports depends requires based tested called calls via per source cf against versus vs original originally was before previous \
        replaces supersedes mirrors mirrored similar inspired modeled modelled matches follows upstream template \
        input inputs copied like for pattern ";
    is_in(WORDS, &word.to_ascii_lowercase())
}

/// "Based on", "Tested with", "Uses": what follows is mentioned, and was not worked on.
pub(crate) fn is_pointer(title: &str) -> bool {
    let mut words = title.split_whitespace();
    match (words.next(), words.next_back()) {
        (Some(_), Some(last)) => is_in(" on by with from of via in to ", &last.to_lowercase()),
        (Some(only), None) => is_in(
            " uses imports requires calls mirrors ",
            &only.to_lowercase(),
        ),
        _ => false,
    }
}

/// Words joined by a slash that are not folders: "yes/no", "and/or".
pub(crate) fn is_answer(word: &str) -> bool {
    const WORDS: &str = " yes no ok true false and or all none n a done todo before after old ";
    is_in(WORDS, &word.to_ascii_lowercase())
}

/// A word that is common in sentences and rare in file names.
pub(crate) fn is_stop_word(word: &str) -> bool {
    const WORDS: &str = " \
        the in to of for was were is are be i we it this that these only see from with within under inside \
        by on via into also now no not touched changed updated added removed modified edited created deleted \
        fixed renamed moved committed per like plus including e.g i.e all both which because read reviewed \
        did didn't using uses ";
    let word = word.trim_end_matches(['.', ',', ';', ':', '!']);
    is_in(WORDS, &word.to_ascii_lowercase())
}

/// A word with which a sentence continues whose subject is the file: "`a.py` now returns a list".
pub(crate) fn is_predicate(word: &str) -> bool {
    const WORDS: &str = " \
        now was were is are has have gets got also will not no unchanged contains holds provides handles returns \
        covers tests ";
    is_in(WORDS, word)
}

/// Words with which a remark continues after a marked name: "Extracted `a.py` from `b.py`".
pub(crate) fn is_preposition(word: &str) -> bool {
    is_in(
        " from with for so which that using via because where out ",
        word,
    )
}

/// Whether `list`, whose words each have a space before and after them, contains the word.
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    !word.is_empty()
        && list.match_indices(word).any(|(at, _)| {
            let ends = |byte: Option<&u8>| byte == Some(&b' ');
            let bytes = list.as_bytes();
            ends(bytes.get(at.wrapping_sub(1))) && ends(bytes.get(at + word.len()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_alone_are_found() {
        assert!(is_extension("py") && is_extension("TSX") && is_extension("zsh"));
        assert!(!is_extension("p") && !is_extension("") && !is_extension("log"));
        assert!(is_weak_extension("log") && is_product("Node.js"));
        assert!(is_bare_name("Makefile") && is_bare_name(".env.local"));
        assert!(!is_bare_name("make") && !is_bare_name("gemfile rakefile "));
    }

    #[test]
    fn verbs_say_what_was_done() {
        assert_eq!(change("Created"), Some(Operation::Created));
        assert_eq!(change("removed"), Some(Operation::Deleted));
        assert_eq!(change("Updated"), Some(Operation::Changed));
        assert_eq!(change("parser"), None);
    }
}
