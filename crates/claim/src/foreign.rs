//! Remarks in other scripts, whose denials no list of beginnings can have all of.

use crate::lexicon::is_in;

/// What may deny, postpone or take back in Chinese, Japanese, Korean and Russian, wherever in a
/// remark it stands.
const OPEN: &[&str] = &[
    "不",
    "无",
    "無",
    "没",
    "未",
    "非",
    "暂",
    "待",
    "勿",
    "别的",
    "其他",
    "他の",
    "临时",
    "一時",
    "后续",
    "以后",
    "计划",
    "建议",
    "可选",
    "删",
    "削除",
    "回滚",
    "还原",
    "撤销",
    "戻",
    "参考",
    "参照",
    "只读",
    "仅",
    "のみ",
    "下一",
    "需",
    "原有",
    "交给",
    "別",
    "対象外",
    "既存",
    "まま",
    "그대로",
    "대기",
    "как есть",
    "ждёт",
    "ждет",
    "остав",
    "次回",
    "今後",
    "予定",
    "保留",
    "なし",
    "ない",
    "ません",
    "않",
    "없",
    "예정",
    "추후",
    "임시",
    "삭제",
    "되돌",
    "다음",
    "참고",
    "만 ",
    "будет",
    "позже",
    "план",
    "след",
    "времен",
    "удал",
    "откат",
    "отмен",
    "пропу",
    " уже ",
    "только",
    "без ",
    " не ",
    "нет ",
];

/// What takes back even what was done.
const GONE: &[&str] = &[
    "删",
    "回滚",
    "还原",
    "撤销",
    "削除",
    "戻",
    "삭제",
    "되돌",
    "удал",
    "откат",
];

/// Verbs for work, with which a remark in Chinese begins: "修复不存在的键" is about a key.
const DONE: &[&str] = &[
    "新增", "新建", "添加", "增加", "修复", "重构", "实现", "优化", "引入", "支持", "补充",
];

/// Words of languages in the Latin script that may do the same and are no English words.
const OPEN_WORDS: &str = " \
    noch kein keine keinen keiner nur später bereits schon erst fehlt brauchte macht folgt nächsten \
    nächster danach gelöscht verworfen rien aucun aucune pas déjà laissé ensuite prochain prochaine \
    effacé supprimé queda igual hará pendiente ningún nada siguiente borrado eliminado dejo luego \
    próximo próxima fica depois mantido já removido apagado niente nessuna già dopo prossimo rimosso \
    nog geen alleen daarna verwijderd volgende bez nie później usunięty sonra silindi ";

/// Whether a remark is in another script and may say that there is no such file.
pub(crate) fn is_open(remark: &str) -> bool {
    let lower = format!(
        " {} ",
        remark
            .to_lowercase()
            .replace(|c: char| c.is_ascii_punctuation(), " ")
    );
    let letters = || lower.chars().filter(|c| c.is_alphabetic());
    let others = letters().filter(|c| !is_latin(*c)).count();
    let is_foreign = 2 * others >= letters().count();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let text = remark.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_done = DONE.iter().any(|verb| text.starts_with(verb));
    let has_word = lower.split_whitespace().any(|word| is_in(OPEN_WORDS, word));
    has_word || is_foreign && if is_done { has(GONE) } else { has(OPEN) }
}

fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_in_other_scripts() {
        for remark in [
            "（新增）",
            "修复登录",
            "追加",
            "создан",
            "(new)",
            "добавлена проверка",
            "修复不存在的键",
            "translates 删除 in the menu",
            "",
        ] {
            assert!(!is_open(remark), "{remark}");
        }
        for remark in [
            "不需要修改",
            "临时脚本，用完已删",
            "参照のみ",
            "откатил",
            "添加后又删除",
            "추후 작업",
        ] {
            assert!(is_open(remark), "{remark}");
        }
    }
}
