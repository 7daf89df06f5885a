-- By which the file is known to be attest's, whatever its name: "atst".
PRAGMA application_id = 1635021684;
