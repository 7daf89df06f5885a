# frozen_string_literal: true

# Plays Homebrew for Formula/attest.rb: runs its `install` in the folder that is named, and its `test`
# on what that installed. Knows only the words that the formula uses, so a word that is new to it is a
# failure.
#
#   ruby tests/formula/play.rb FORMULA SOURCE

require "fileutils"
require "json"
require "open3"
require "pathname"
require "tmpdir"

# What Homebrew adds to paths.
class Pathname
  def install(*files)
    FileUtils.mkdir_p(self)
    files.flatten.each { |file| FileUtils.cp_r(file.to_s, to_s) }
  end
end

# The words of a formula.
class Formula
  WORDS = [:desc, :homepage, :url, :sha256, :license, :head, :depends_on].freeze

  class << self
    attr_reader :subclass, :body_of_test

    def said
      @said ||= {}
    end

    def inherited(formula)
      super
      Formula.instance_variable_set(:@subclass, formula)
    end

    WORDS.each { |word| define_method(word) { |*words, **options| said[word] = [words, options] } }

    def test(&body)
      @body_of_test = body
    end
  end

  attr_reader :prefix, :buildpath, :testpath

  def initialize(source, world)
    @buildpath = Pathname(source).realpath
    @prefix = Pathname(world)/"cellar"
    @testpath = Pathname(world)/"test"
    FileUtils.mkdir_p([@prefix, @testpath])
  end

  def version
    self.class.said[:url].first.first[/attest-(\d+\.\d+\.\d+)\.tar\.gz/, 1] || raise("no version in the url")
  end

  def bin
    prefix/"bin"
  end

  def man1
    prefix/"share/man/man1"
  end

  def std_cargo_args(path: ".")
    ["--locked", "--root", prefix.to_s, "--path", path]
  end

  def generate_completions_from_executable(*words)
    ["bash", "zsh", "fish"].each do |shell|
      script = checked(*words.map(&:to_s), shell)
      raise "no completions for #{shell}" unless script.include?("__complete")
    end
  end

  def system(*words)
    Kernel.system(*words.map(&:to_s)) || raise("failed: #{words.join(' ')}")
  end

  def shell_output(line, status = 0)
    pipe_output(line, nil, status)
  end

  def pipe_output(line, input = nil, status = nil)
    output, ended = Open3.capture2(line, stdin_data: input.to_s)
    raise "#{line} ended with #{ended.exitstatus}" if status && ended.exitstatus != status

    output
  end

  def assert_match(expected, text)
    pattern = expected.is_a?(String) ? Regexp.escape(expected) : expected
    raise "no #{expected.inspect} in #{text.inspect}" unless text.match?(pattern)
  end

  def play
    Dir.chdir(buildpath) { install }
    pages = Dir[man1/"*.1"].length
    raise "only #{pages} pages of the manual" if pages < 10

    ENV["HOME"] = testpath.to_s
    Dir.chdir(testpath) { instance_eval(&self.class.body_of_test) }
    raise "the caveats do not say how to remove the hooks" unless caveats.include?("attest uninstall")
  end

  private

  def checked(*words)
    output, ended = Open3.capture2(*words)
    raise "failed: #{words.join(' ')}" unless ended.success?

    output
  end
end

formula, source = ARGV
load File.expand_path(formula)
missing = Formula::WORDS - Formula.subclass.said.keys
raise "the formula does not say #{missing.join(', ')}" unless missing.empty?

made = File.expand_path("man", source)
raise "#{made} is in the way" if File.exist?(made)

begin
  Dir.mktmpdir { |world| Formula.subclass.new(source, world).play }
ensure
  FileUtils.rm_rf(made)
end
puts "the formula installs, and its test passes"
