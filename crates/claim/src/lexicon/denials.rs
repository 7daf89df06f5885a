//! The words by which a report says that something was not done, or not here.

/// Signs for what is open, rejected or waiting.
pub(crate) const SIGNS: &[char] = &[
    '❌', '✗', '✘', '☐', '⬜', '🔲', '◻', '🚫', '⛔', '⏳', '⌛', '🔜', '⏭', '⏸', '✖', '❓', '⭕',
    '💤', '➖', '💡', '🤔', '👀', '🔍',
];

/// Words that merely lead up to what a clause says.
pub(crate) const LEADS: &str = " \
    was were is are has have had been it i we you this file files still currently now only just and so both all \
    later since again which that got be yet status action change also already then but intentionally \
    did does do actually deliberately eventually subsequently finally unfortunately ";

/// Words that deny if they are alone: "skipped", but not "skipped rows are counted now".
pub(crate) const ALONE: &str = " \
    unchanged untouched unmodified unaffected unneeded unnecessary reverted undone deferred postponed tbd \
    preexisting wip discarded abandoned skipped skip considered planned pending todo proposed suggested \
    incomplete unfinished reviewed inspected examined consulted example blocked unimplemented untracked \
    upcoming future existing excluded optional missing failed dependency undecided outstanding remaining \
    nope none noop gitignored wontfix ignored ignore backlog hypothetical suggestion suggestions recommendation \
    next omitted cancelled canceled idea superseded nothing ";

/// Words that do so before one of [`THINGS`].
pub(crate) const KINDS: &str =
    " external party unrelated related proposed rejected attempted manual potential possible ";

/// What is not done, or not here: "optional improvement", "abandoned approach".
pub(crate) const THINGS: &str = " \
    improvement improvements approach change changes edit edits update updates idea attempt work step task dependency \
    dependencies code file files item suggestion path version library package module enhancement option extra ";

/// Groups of words that deny if they are alone.
pub(crate) const PHRASES: &str = "\
    rolled back|backed out|in progress|work in progress|on hold|out of scope|as is|as before|\
    no change|no changes|no edit|no edits|no modification|no modifications|no op|no write|no need|\
    read only|to do|follow up|nothing done|no longer needed|no longer required|no longer necessary|\
    no longer there|no longer exists|no longer used|left alone|left unchanged|left untouched|\
    left unmodified|ruled out|pre existing|left open|left out|left off|left as is|left undone";

/// Beginnings of clauses that deny, whatever follows.
pub(crate) const BEGINNINGS: &str = "\
    failed to |unable to |needs to |need to |needs work |needs a follow |read for |read but |read to understand |read to check |read to learn |used as a reference |used for reference |used as reference |\
    for reference |for later |for context |for future |for next |for a later |for a future |\
    for another |for the next |left for |left to |for you |for the parent |from the previous |from the last |from the earlier |\
    from an earlier |from a previous |from another |from the other |from the parent |someone else|somebody else|wip |dry run |no need |no changes were |no change was |no edits were |nothing was |permission denied|access denied|as reference|as a reference|\
    outside scope|outside the scope|outside of scope|coming |your call|your decision|up to you|needs your |\
    needs a decision|needs a human|needs manual |requires manual |requires your |manual step|\
    in a separate pr|in a separate commit|in a follow up|in another pr|in the next ";

/// The same in German, French, Spanish, Portuguese, Italian, Dutch, Polish, Turkish, Russian, Chinese, Japanese and Korean.
pub(crate) const FOREIGN: &str = "\
    geplant |noch nicht |nicht |unverändert|später |ausstehend|übersprungen|verschoben |verworfen|\
    zurückgestellt|keine änderung|offen |prévu|non modifi|non créé|pas |inchangé|à faire|à créer|\
    à venir|plus tard|reporté|sans changement|sans modification|annulé|pendiente|sin cambio|\
    sin modific|por hacer|no cread|no modific|planificad|planead|omitid|más tarde|revertid|pendente|\
    não |ainda não |planejad|sem alter|por fazer|a fazer |mais tarde|inalterad|da fare|da creare|\
    non creat|non ancora |previst|rimandat|pianificat|invariat|не |ещё не |еще не |планир|заплан|\
    kein|wird nicht|wird noch|wird im|wird später|wird erst|kommt |fehlt|entfällt|existiert nicht|gibt es nicht|bereits |war bereits|\
    ist bereits|bleibt |schon |zurückgesetzt|rückgängig|temporär|vorübergehend|nur gelesen|nur gesichtet|nur zur|wieder gelöscht|wieder entfernt|\
    aucun|lecture seule|lu seulement|n'|ne |déjà |sera |seront |temporaire|ignoré|hors |reste |restauré|existe déjà|\
    solo lectura|sólo lectura|solo leíd|se creará|se hará|se añadirá|no existe|no fue|no se |no hace falta|no es necesari|no requiere|no necesit|\
    no aplica|no tocad|ya estaba|ya exist|temporal,|temporal |revertido|fuera de|próxim|apenas |só leitura|somente |será |já |\
    temporári|fora d|nessun|sola lettura|solo lettura|non esiste|non modif|non necess|già |temporane|fuori |ripristinat|\
    ongewijzigd|niet |alleen gelezen|nog niet|overgeslagen|tijdelijk|geen |blijft |bez zmian|nie |planowan|tylko |tymczasow|pominięt|\
    değişmedi|değiştirilmedi|sonra |yapılacak|geçici|позже|без измен|отложен|пропущ|будет |未|尚|待|计划|計画中|跳过|以后|稍后|后续|没有修改|没有更改|无变|無變|不变|無変更|変更なし|変更無し|後で|\
    あとで|スキップ|미|예정|변경 없음|나중|건너";

/// Endings of clauses that deny, in languages that put the verb last.
pub(crate) const ENDINGS: &str = "予定|ていない|ません|중|않음";

/// What "next", "separate" or "future" is followed by if the work is not part of this report.
pub(crate) const OCCASIONS: &str = " \
    sprint pr prs step steps iteration phase release time task ticket issue commit change branch session run story \
    milestone version agent repo repository project work ";

/// Words that continue a clause about what precedes it: "skipped for now", "reverted again".
pub(crate) const CONNECTORS: &str = " \
    for until till by in on because as due yet now here at after before again since and or only it this that \
    with from so entirely completely later anyway though file change changes the work review approval upstream \
    already if when while only needed required necessary made anymore ";

/// What "not" is followed by if it is about the work on the file itself.
pub(crate) const WORK: &str = " \
    yet this mine ours persisted tracked need needed require required necessary done committed started included part made present my by in applicable be been \
    finished completed possible saved applied staged a to actually ";

/// What "already" is followed by if nothing had to be done: "already up to date", "already in place".
pub(crate) const STATES: &str = " \
    up in correct right fine ok good valid there present exists existed handled covered done implemented complete \
    supported ";

/// Words that leave open whether a file was worked on: "whichever the loader finds".
pub(crate) const UNSURE: &str =
    " maybe perhaps possibly potentially probably presumably whichever either depending ";

/// What is "only" done if nothing is changed: "checked only", "reference only".
pub(crate) const LOOKED_AT: &str =
    " checked reference context draft read review reviewed looked example ";

/// What fails if a file is not written: "write failed", "creation was denied".
pub(crate) const WRITES: &str = " write writing writes save saving creation create edit update ";

/// The location of a file that is not here: "in the infra repository", "at build time".
pub(crate) const ELSEWHERE: &str = " \
    cloud s3 home confluence notion jira slack sharepoint github gitlab bucket database db wiki gist memory registry scope volume storage drive branch ticket release repo repository worktree container server machine vm host sandbox runtime time startup cluster device laptop ";

/// What happens to a file whose work is now in another file: "merged into src/a.py".
pub(crate) const ABSORBED: &str = " \
    merged folded inlined absorbed moved renamed replaced superseded split extracted consolidated integrated \
    migrated converted ended live lives lived went sits resides ";

/// Words in a title below which nothing was done.
pub(crate) const TITLES: &str = " \
        unchanged unmodified untouched planned proposed skipped reverted deferred postponed pending todo not never \
        without should would could suggested considered reviewed read consulted inspected excluded ignored future \
        tbd checked executed external unrelated needs temporary remaining missing undone next later upcoming candidate candidates expected estimate proposal if indirectly kept ";

/// Who did the work, if it was not the agent: "by the other agent".
pub(crate) const OTHERS: &str = " other another others else parent previous earlier different ";
/// See [`OTHERS`].
pub(crate) const WORKERS: &str = " \
        agent subagent task developer person session worker somebody someone engineer others teammate else ";
