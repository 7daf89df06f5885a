//! Words about the course of the work, and those that may stand between them.

/// What says nothing by itself.
pub(crate) const GRAMMAR: &str = " \
    the a an of to in on at for from by with without is are was were be been being it its this that these those here \
    there and or but so if when then than not no never only just also still already yet now my your our their his her \
    i you we me us any all some more most other another such too very much do does did have has had having will would \
    could should can may might must one two three first second since until because while after before during within \
    into out up off over through about again once further both either neither nor else what which who whose where why \
    how see goes isn't wasn't aren't weren't don't doesn't didn't won't can't couldn't hasn't haven't hadn't i'm i've \
    it's that's there's done as against ";

/// What work consists of, and what it is about.
pub(crate) const NOUNS: &str = " \
    scope task tasks pr prs commit session sessions step steps part phase phases sprint iteration milestone follow \
    followup question questions plan plans idea ideas option suggestion suggestions proposal recommendation discussion \
    decision approval confirmation clarification context reference comparison baseline point place repo repository \
    workspace monorepo branch submodule starter template duplicate reason reasons purpose impact effect \
    change changes edit edits update updates modification modifications action actions time budget agent subagent \
    maintainer maintainers owner usage usages matter concern concerns job turn responsibility request requirements \
    path project package upstream library work permission permissions access rights admin credentials inspiration ";

/// How a thing is in relation to the work.
pub(crate) const STATES: &str = " \
    need needs require requires recommended discussed starting following compared locally local today week soon eventually original wrong needed required looked look looking scanned searched studied analysed \
    analyzed mentioned referenced used unused kept left leave leaving stays stay works relevant irrelevant related \
    unrelated affected impacted unaffected applicable necessary unnecessary unclear later earlier previous previously \
    next last future upcoming separate separately existed found absent available committed tracked saved outside \
    elsewhere temporarily temporary manual manually delegated handed assigned owned belongs belong comes come came \
    purely merely permits waiting afterwards intact verbatim external different open pending shared optional planned \
    proposed suggested deferred intentionally deliberately really actually happens happened matters helps ";
