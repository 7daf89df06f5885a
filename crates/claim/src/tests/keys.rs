//! Where keys stand, and in which languages.

use super::{check, short};

const LIST: &str = "- src/a.py\n- src/b.py";
const FOUND: &str = "Lines DONE [src/a.py | src/b.py]";

#[test]
fn keys_of_other_languages_are_keys() {
    for key in [
        "Geänderte Dateien",
        "Fichiers créés et modifiés",
        "Liste des fichiers créés ou modifiés",
        "Les fichiers générés dans cette session",
        "Archivos modificados (3)",
        "Arquivos alterados",
        "File modificati",
        "Gewijzigde bestanden",
        "Zmienione pliki",
        "ИЗМЕНЁННЫЕ ФАЙЛЫ",
        "Değiştirilen dosyalar",
        "변경된 파일",
        "변경된 파일 목록",
        "変更したファイル",
        "変更されたファイル一覧",
        "修改的文件",
        "本次新增/修改文件清单",
        "新增和修改过的文件",
        "被重命名的文件（2个）",
        "文件变更",
        "文件列表",
    ] {
        for text in [
            format!("{key}:\n{LIST}"),
            format!("**{key}**\n\n{LIST}"),
            format!("## {key}\n{LIST}"),
            format!("{key}\u{ff1a}src/a.py, src/b.py"),
        ] {
            let message = format!("Status: DONE\n\n{text}");
            assert_eq!(short(&message), FOUND, "{message}");
        }
    }
    for key in [
        "Nicht geänderte Dateien",
        "Zu ändernde Dateien",
        "Fichiers à modifier",
        "Fichiers non modifiés",
        "Les fichiers à jour",
        "Fichiers générés puis supprimés",
        "Fichiers créés et supprimés",
        "Archivos no modificados",
        "Archivos por modificar",
        "Arquivos não alterados",
        "File non modificati",
        "Ongewijzigde bestanden",
        "Niezmienione pliki",
        "Неизменённые файлы",
        "변경되지 않은 파일",
        "変更していないファイル",
        "未修改的文件",
        "需要修改的文件",
        "修改前的文件",
        "修改以下文件",
        "将被修改的文件",
        "没有修改过的文件",
        "新增和删除的文件",
    ] {
        let message = format!("Status: DONE\n\n{key}:\n{LIST}");
        assert_eq!(short(&message), "Lines DONE []", "{message}");
    }
    for status in [
        "Statut : DONE",
        "状态：已完成（DONE）",
        "**Статус:** готово",
    ] {
        let message = format!("{status}\n\nFiles changed:\n{LIST}");
        assert_eq!(short(&message), FOUND, "{message}");
    }
}

#[test]
fn a_tag_may_be_a_key() {
    for message in [
        format!(
            "<report>\n<status>DONE</status>\n<files_changed>\n{LIST}\n</files_changed>\n<notes>\n- src/c.py\n</notes>\n</report>"
        ),
        "All is well.\n<status>DONE</status>\n<changed-files>\nsrc/a.py\nsrc/b.py\n</changed-files>\n"
            .to_owned(),
        "<status>DONE</status>\n<files_changed>src/a.py, src/b.py</files_changed>".to_owned(),
        format!(
            "Status: DONE\n\n<details>\n<summary>Files changed (2)</summary>\n\n{LIST}\n\n</details>\n\n<details>\n<summary>Files to look for</summary>\n\n- src/c.py\n\n</details>\n"
        ),
        format!(
            "<details><summary>Files changed</summary>\n\n{LIST}\n\n</details>\n\nStatus: DONE\n"
        ),
    ] {
        assert_eq!(short(&message), FOUND, "{message}");
    }
    for (message, found) in [
        (
            format!(
                "<example>\n<status>DONE</status>\n<files_changed>\n{LIST}\n</files_changed>\n</example>"
            ),
            "None - []",
        ),
        (
            format!("Status: DONE\n<not_changed>\n{LIST}\n</not_changed>"),
            "Lines DONE []",
        ),
        (
            format!("Status: DONE\n<files>\n{LIST}\n</files>"),
            "Lines DONE []",
        ),
        (
            "The `<status>DONE</status>` tag is read now.".to_owned(),
            "None - []",
        ),
    ] {
        assert_eq!(short(&message), found, "{message}");
    }
}

#[test]
fn a_row_of_two_cells_may_be_a_key_and_its_value() {
    let table = |rows: &str| format!("| Field | Value |\n|---|---|\n{rows}");
    for message in [
        table("| Status | DONE |\n| Files changed | `src/a.py`, `src/b.py` |\n| Tests | 3 |"),
        table("| **Status** | **DONE** |\n| files_changed | src/a.py<br>src/b.py |"),
        "| Status | DONE |\n|---|---|\n| Modified files | src/a.py, src/b.py |".to_owned(),
        table(&format!("| Status | DONE |\n\n## Files changed\n{LIST}")),
    ] {
        assert_eq!(short(&message), FOUND, "{message}");
    }
    check(&[
        (
            "Status: DONE\n\n| Files changed | Why |\n|---|---|\n| src/a.py | new |\n| src/b.py | unchanged |",
            "Lines DONE [src/a.py | !src/b.py]",
        ),
        (
            "Status: DONE\n\n## Planned\n\n| Files changed | Why |\n|---|---|\n| src/a.py | new |",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n\n| Step | Files changed |\n|---|---|\n| one | src/a.py |",
            "Lines DONE []",
        ),
    ]);
    let list = format!("Status: DONE\nFiles changed:\n{LIST}");
    for (rows, found) in [
        ("| Parser | DONE |", "None - []"),
        ("| Status | Task |", "None - []"),
        ("| Files changed | 3 |", "None - []"),
        ("| Files | src/c.py |", "None - []"),
    ] {
        assert_eq!(short(&table(rows)), found, "{rows}");
        let message = format!("{}\n\n{list}", table("| Status | 3 of 4 |"));
        assert_eq!(short(&message), FOUND, "{message}");
    }
}

#[test]
fn a_deed_is_a_key_beside_a_status() {
    for message in [
        "Status: DONE\nChanged: src/a.py, src/b.py".to_owned(),
        format!("Modified:\n{LIST}\nStatus: DONE"),
        "- **Status**: DONE\n- **Changed**: `src/a.py`\n- **Added**: `src/b.py`\n- **Open**: `src/c.py`".to_owned(),
    ] {
        let plain = short(&message).replace('`', "");
        assert_eq!(plain, FOUND, "{message}");
    }
    check(&[
        ("Status: DONE\n\nChanged: src/a.py", "Lines DONE []"),
        (
            "Status: DONE\nIt works.\nChanged: src/a.py",
            "Lines DONE []",
        ),
        ("Status: DONE\nModify: src/a.py", "Lines DONE []"),
        ("Status: DONE\nUpdated: 2025-01-01", "Lines DONE []"),
        ("Status: DONE\nAffected: src/a.py", "Lines DONE []"),
        ("- Status: DONE\n  - Changed: src/a.py", "Lines DONE []"),
        ("Changed: src/a.py", "None - []"),
    ]);
}

#[test]
fn an_item_beside_that_of_the_key_is_a_title_of_its_own() {
    let list = |title: &str| {
        format!("- **Status: DONE**\n- **Files changed**\n  - src/a.py\n- {title}\n  - src/b.py\n")
    };
    for title in [
        "**Zusatz**",
        "**비고**",
        "**Beifang:**",
        "**Notes**",
        "Zusatz",
    ] {
        assert_eq!(short(&list(title)), "Lines DONE [src/a.py]", "{title}");
    }
    assert_eq!(short(&list("**Backend**")), FOUND);
}

#[test]
fn a_key_in_brackets_has_a_title_in_front_of_it() {
    for (title, found) in [
        ("Changes (files changed)", "Lines - [src/a.py | src/b.py]"),
        (
            "Geändert wurden (Files changed)",
            "Lines - [?src/a.py | ?src/b.py]",
        ),
        (
            "Files changed（修改的文件）",
            "Lines - [src/a.py | src/b.py]",
        ),
        ("Planned (files changed)", "None - []"),
        ("I did not touch these (files changed)", "None - []"),
        ("三、变更文件", "Lines - [src/a.py | src/b.py]"),
    ] {
        for message in [format!("{title}:\n{LIST}"), format!("## {title}\n\n{LIST}")] {
            assert_eq!(short(&message), found, "{message}");
        }
    }
}

#[test]
fn a_number_of_files_behind_what_was_done_makes_a_key_of_it() {
    for (title, found) in [
        ("Changes made (4 files)", true),
        ("Changes (2 files)", true),
        ("New (2 files)", true),
        ("Updates made (1 file)", true),
        ("Changes made", false),
        ("Changes made (4)", false),
        ("Changes made (4 tests)", false),
        ("Changes made (4 files unread)", false),
        ("Changes needed (4 files)", false),
        ("Planned changes (4 files)", false),
        ("Change (4 files)", false),
        ("Read (4 files)", false),
        ("Parser (4 files)", false),
        ("Created and deleted (4 files)", false),
    ] {
        for message in [
            format!("{title}:\n{LIST}"),
            format!("## {title}\n\n{LIST}"),
            format!("**{title}**\n\n{LIST}"),
        ] {
            let message = format!("Status: DONE\n\n{message}");
            assert_eq!(short(&message) == FOUND, found, "{message}");
        }
    }
}

#[test]
fn the_number_of_a_section_is_no_part_of_its_title() {
    for number in [
        "3.", "3.1", "3)", "三、", "(3)", "[3]", "3:", "3 -", "#3", "③", "A.", "c)", "IV.",
    ] {
        for (title, found) in [
            ("Files changed", FOUND),
            ("Planned changes\n\nFiles changed:", "Lines DONE []"),
        ] {
            let message = format!("Status: DONE\n\n## {number} {title}\n\n{LIST}");
            assert_eq!(short(&message), found, "{message}");
        }
        let message = format!("Status: DONE\n\n**{number} Files changed:**\n\n{LIST}");
        assert_eq!(short(&message), FOUND, "{message}");
    }
    // Of which step or of whose task they are is not said.
    for title in [
        "Step 3: Files changed",
        "12:30 Files changed",
        "2-3 Files changed",
        "C Files changed",
    ] {
        let message = format!("Status: DONE\n\n## {title}\n\n{LIST}");
        assert_eq!(short(&message), "Lines DONE []", "{message}");
    }
}

#[test]
fn what_a_title_says_to_be_complete_is_no_status() {
    for title in [
        "## PLAN COMPLETE",
        "**PLAN COMPLETE**",
        "PLAN COMPLETE: 03-02",
        "Status: PLAN COMPLETE",
        "## Status\n\nPLAN COMPLETE",
        "## Plan status: COMPLETE",
        "## ✅ TASK COMPLETE",
        "## COMPLETE",
    ] {
        let message = format!("{title}\n\nFiles changed:\n{LIST}");
        assert_eq!(
            short(&message),
            "Lines - [src/a.py | src/b.py]",
            "{message}"
        );
    }
    let message = format!("## PLAN COMPLETE\n\nStatus: COMPLETE\nFiles changed:\n{LIST}");
    assert_eq!(short(&message), FOUND);
}

#[test]
fn a_key_in_camel_case_is_that_of_its_words() {
    for key in ["filesChanged", "changedFiles", "newFiles", "filesCreated"] {
        for message in [
            format!(r#"{{"status": "DONE", "{key}": ["src/a.py", "src/b.py"]}}"#),
            format!("status: DONE\n{key}:\n{LIST}"),
        ] {
            assert_eq!(short(&message), FOUND, "{message}");
        }
    }
    check(&[
        (
            r#"{"status": "DONE", "plannedFiles": ["src/a.py"]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "DONE", "files": ["src/a.py"], "plannedFiles": ["src/b.py"]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "DONE", "filesChangedInPr": ["src/a.py"]}"#,
            "Lines DONE [?src/a.py]",
        ),
        // The name of a component.
        ("Status: DONE\n\n### FileList\n- src/a.py", "Lines DONE []"),
    ]);
}

#[test]
fn a_second_list_corrects_the_first_only_if_its_key_or_its_files_are_the_same() {
    check(&[
        (
            "Files changed: src/a.py\nFiles renamed: src/b.py -> src/c.py",
            "Lines - [src/a.py | src/b.py->src/c.py]",
        ),
        (
            "**Files changed:**\n- src/a.py\n\n**Files moved:**\n- src/b.py -> src/c.py",
            "Lines - [src/a.py | src/b.py->src/c.py]",
        ),
        (
            "Files changed: src/a.py\nFiles changed (tests): tests/a.py",
            "Lines - [src/a.py | tests/a.py]",
        ),
        (
            "Source files changed: src/a.py\nTest files changed: tests/a.py",
            "Lines - [src/a.py | tests/a.py]",
        ),
        (
            "Files changed: src/a.py\nFiles renamed: none",
            "Lines - [src/a.py]",
        ),
        // A correction.
        (
            "Files changed: src/a.py\nFiles changed: src/b.py",
            "Lines - [src/b.py]",
        ),
        (
            "Files changed (2): src/a.py, src/b.py\nChanged files (1): `src/c.py`",
            "Lines - [src/c.py]",
        ),
        (
            "Files changed: src/a.py\nFinal files changed: src/b.py",
            "Lines - [src/b.py]",
        ),
        (
            "Files changed: src/a.py\nFiles changed (corrected): none",
            "Lines - []",
        ),
        (
            "Files changed: src/a.py, src/b.py\nFiles changed (tests): src/b.py",
            "Lines - [src/b.py]",
        ),
        (
            r#"{"status": "DONE", "files_changed": ["src/a.py"], "files_renamed": ["src/b.py -> src/c.py"]}"#,
            "Lines DONE [src/a.py | src/b.py->src/c.py]",
        ),
    ]);
}
