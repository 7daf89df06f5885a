class Attest < Formula
  desc "Check from the git work tree whether a coding agent did what it says"
  homepage "https://attest.example/attest"
  url "https://attest.example/attest/releases/download/v0.1.0/attest-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://attest.example/attest.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/attest")
    generate_completions_from_executable(bin/"attest", "completions")
    system bin/"attest", "man", buildpath/"man"
    man1.install Dir[buildpath/"man/*.1"]
  end

  def caveats
    <<~EOS
      The hooks are not installed yet. Add them to the settings of Claude Code,
      then start a new session:
        attest install

      Remove them before you remove the program. Otherwise each stop of an agent
      looks for a program that is gone:
        attest uninstall
        brew uninstall attest
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/attest --version")

    system "git", "init", "--quiet", "repository"
    system "git", "-C", "repository", "-c", "user.name=test", "-c", "user.email=test@example.com",
           "commit", "--quiet", "--allow-empty", "--message", "start"
    ENV["ATTEST_ENFORCE"] = "1"
    ENV["ATTEST_STATE_DB"] = (testpath/"state/state.db").to_s
    agent = { session_id: "s1", agent_id: "a1", cwd: (testpath/"repository").to_s }
    report = agent.merge(last_assistant_message: "Status: DONE\nFiles changed: ghost.py")
    pipe_output("#{bin}/attest hook start", agent.to_json, 0)
    assert_match '"decision":"block"', pipe_output("#{bin}/attest hook stop", report.to_json, 0)
  end
end
