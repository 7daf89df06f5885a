use super::*;
use crate::programs;

fn only_runs(program: &str, code: &str) -> Option<Vec<Vec<String>>> {
    super::only_runs(programs::of(program).unwrap(), code)
}

#[test]
fn code_that_opens_nothing_writes_nothing() {
    for code in [
        "import json,sys; print(json.load(sys.stdin)['version'])",
        "import sys, json as j\nfor x in j.load(sys.stdin):\n    sys.stdout.write(x['a'])",
        "from collections import Counter; import sys; print(Counter(sys.stdin))",
        "print(1 + 1)",
        "import os; print(os.environ.get('HOME'), os.getenv('CI'))",
        "import sys, os\nos.chdir('src')\nprint(os.listdir('.'), os.path.exists('a'))",
        "import os.path; print(os.path.join('a', 'b'))",
        "import tempfile\nwith tempfile.TemporaryDirectory() as d: print(d)",
    ] {
        assert_eq!(only_runs("python3", code), Some(vec![]), "{code}");
    }
    for code in [
        "import sys; open(sys.stdin.read().strip(), 'w')",
        "import os, sys; os.rename(*sys.argv[1:])",
        "import json, sys\nfrom pathlib import Path\nPath(json.load(sys.stdin)).touch()",
        "import sys; sys.modules['os'].mkdir('a')",
        "import sys; exec(sys.stdin.read())",
        "import json as j,glob; glob.x()",
        "import json, \\\n tempfile; tempfile.mkdtemp()",
        "__import__('os').mkdir('a')",
        "if 1: import os\nos.mkdir('a')",
        "import os; os.makedirs(os.environ['D'])",
        "import os as o; o.mkdir('a')",
        "from os import mkdir; mkdir('a')",
        "import os; x = os; x.mkdir('a')",
        "import os; open(os.environ['D'] + '/a', 'w')",
        "import os, tempfile; os.makedirs(tempfile.mkdtemp() + '/a')",
        "import subprocess, tempfile; subprocess.run(['git', 'clone', u, tempfile.mkdtemp()])",
    ] {
        assert_eq!(only_runs("python3", code), None, "{code}");
    }
    for (code, writes) in [
        ("console.log(process.env.HOME)", false),
        (
            "const x = process.env; console.log(x.CI, process.version)",
            false,
        ),
        ("fs.writeFileSync(process.env.D + '/a', 'x')", true),
        ("require('fs').writeFileSync(process.env.D, 'x')", true),
        ("process.mainModule.x(process.env.D)", true),
        ("const p = process; p.binding('fs')", true),
    ] {
        assert_eq!(only_runs("node", code).is_none(), writes, "{code}");
        assert_eq!(only_runs("perl", code), None);
    }
}

#[test]
fn a_command_that_code_runs_is_read_if_it_stands_there() {
    let shell = |text: &str| vec![vec!["sh".to_owned(), "-c".to_owned(), text.to_owned()]];
    for (program, code, expected) in [
        (
            "python3",
            "import subprocess; print(subprocess.run(['git', 'status'], text=True).stdout)",
            Some(vec![vec!["git".to_owned(), "status".to_owned()]]),
        ),
        (
            "python3",
            "import os\nos.system('git status')",
            Some(shell("git status")),
        ),
        (
            "node",
            "console.log(require('child_process').execSync('git log').toString())",
            Some(shell("git log")),
        ),
        ("python3", "import subprocess; subprocess.run(c)", None),
        (
            "python3",
            "import subprocess; subprocess.run(['git', verb])",
            None,
        ),
        ("python3", "import os; os.system('touch ' + p)", None),
        ("python3", "import os; os.system(f'touch {p}')", None),
        ("python3", "import subprocess as s; s.run(['ls'])", None),
        ("python3", "from subprocess import run; run(['ls'])", None),
        (
            "python3",
            "import subprocess; subprocess.run(['touch', 'a'], cwd='/srv')",
            None,
        ),
        (
            "python3",
            "import subprocess; subprocess.run(['ls'], stdout=open('/srv/a', 'w'))",
            None,
        ),
        (
            "python3",
            "import os; os.chdir(d); os.system('touch a')",
            None,
        ),
        (
            "node",
            "const {execSync} = require('child_process'); execSync(x)",
            None,
        ),
        (
            "node",
            "require('child_process').execSync(`touch ${p}`)",
            None,
        ),
    ] {
        assert_eq!(only_runs(program, code), expected, "{code}");
    }
    let many = "os.system('x');".repeat(200_000);
    assert_eq!(only_runs("python3", &many), None);
}

#[test]
fn code_that_names_its_files_leads_nowhere() {
    for code in [
        "p='src/a.py'; s=open(p).read(); open(p,'w').write(s.replace('a','b'))",
        "const fs=require('fs'); fs.writeFileSync('package.json', JSON.stringify({}))",
        "open('/tmp/.tmpx/home/x', 'w')",
        "import json; print(json.load(open('x.json'))['version'])",
    ] {
        assert!(!may_lead_out(code), "{code}");
    }
    for code in [
        "import os; open(os.environ['D'] + '/a', 'w')",
        "import tempfile; tempfile.mkdtemp()",
        "from pathlib import Path; (Path.cwd().parent / 'a').touch()",
        "require('child_process').execSync(c)",
        "open(process.env.D)",
        "os.path.expanduser(p)",
        "import sys; open(sys.argv[1], 'w')",
    ] {
        assert!(may_lead_out(code), "{code}");
    }
}
