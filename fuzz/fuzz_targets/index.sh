#!/bin/sh
# Makes the repository of the index target in the current folder, the same each time: the index files of
# the corpus name its objects.
set -eu
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c
export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
git init --quiet --initial-branch=main .
mkdir -p a b/deep/er c/d
for file in 1 a/1 a/2 b/3 b/deep/4 b/deep/er/5 c/6 c/d/7 a-b a.b; do echo "$file" >"$file"; done
ln -s a/1 link
cp 1 run
chmod +x run
echo '*.o' >.gitignore
git add --all
git commit --quiet --message all
