
// Below here: the program that PROGRAM names, which is a path, or a name in a package that is for every machine. A name
// is looked for on the PATH, where no agent can have put it, as the launcher of the other plugins does.
import * as files from "node:fs";
import * as paths from "node:path";
import { homedir } from "node:os";

const isPackage = !paths.isAbsolute(PROGRAM);

function programFor(folder) {
  if (!isPackage) return PROGRAM;
  const name = process.platform === "win32" ? `${PROGRAM}.exe` : PROGRAM;
  const entries = (process.env.PATH ?? "").split(paths.delimiter).filter(paths.isAbsolute);
  return entries.map((entry) => paths.join(entry, name)).find((path) => isTrusted(path, folder));
}

function isTrusted(path, folder) {
  try {
    files.accessSync(path, files.constants.X_OK);
    const real = files.realpathSync(path);
    const about = files.statSync(real);
    if (!about.isFile() || [path, real].some((it) => isInWorkTree(it, folder))) return false;
    if (!process.getuid) return true;
    const { mode, uid, gid } = about;
    const ofOthers = mode & 0o002 || (mode & 0o020 && gid !== 0 && gid !== uid);
    const around = files.statSync(paths.dirname(path)).mode;
    const isOpen = around & 0o002 && !(around & 0o1000);
    return !ofOthers && !isOpen && (uid === 0 || uid === process.getuid());
  } catch {
    return false;
  }
}

// Whether it is in a work tree around the folder; one at the home folder counts only if that is where the work is.
function isInWorkTree(path, folder) {
  const here = files.realpathSync(folder ?? process.cwd());
  for (let top = here; ; top = paths.dirname(top)) {
    const counts = top === here || top !== homedir();
    const holds = counts && files.existsSync(paths.join(top, ".git"));
    if (holds && path.startsWith(top + paths.sep)) return true;
    if (top === paths.dirname(top)) return false;
  }
}
