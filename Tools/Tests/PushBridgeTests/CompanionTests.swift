import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// The behaviour of the command line if a companion is missing, is in another folder, cannot run, or ends early.
@Suite struct CompanionTests {
    private let pushbridge: CommandLineTool
    private let place: TemporaryFolder
    private let alone: URL

    /// Makes a separate folder that contains the tool and the companion `pushbridge-try`, but no other companion.
    init() throws {
        pushbridge = try CommandLineTool()
        place = try TemporaryFolder()
        let tool = try CommandLineTool.executable()
        alone = place.url.appendingPathComponent(tool.lastPathComponent)
        // The folder contains hard links, because a copy cannot be run while a process that another test started
        // has inherited the open file of the copy.
        for name in ["pushbridge", "pushbridge-try"] {
            let original = tool.deletingLastPathComponent().appendingPathComponent(name)
            try FileManager.default.linkItem(at: original, to: place.url.appendingPathComponent(name))
        }
    }

    /// Writes a companion beside the tool, or into a separate folder.
    private func companion(_ contents: String, in folder: TemporaryFolder? = nil) throws {
        let file = try (folder ?? place).file("pushbridge-apns", contents)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    private func run(_ arguments: String..., path: String = "") throws -> CommandLineTool.Run {
        try pushbridge.run(arguments, at: alone, environment: ["PATH": path])
    }

    @Test(arguments: [
        ["apns", "serve"], ["apns", "--help"], ["help", "apns", "send"],
        ["phone", "--api", "async", "--apns", "x"], ["simulate", "--apns", "x"],
    ])
    func aMissingCompanionIsReportedWithItsBuildCommand(_ arguments: [String]) throws {
        let run = try pushbridge.run(arguments, at: alone, environment: ["PATH": ""])
        #expect(run.status == 69)
        let build = "swift build --product pushbridge-apns --package-path Tools/APNs"
        let reason =
            "The command needs pushbridge-apns, which is neither next to pushbridge nor on the PATH"
        #expect(run.diagnostics == "pushbridge: \(reason); it is built with: \(build)\n")
        #expect(run.output == "")
    }

    @Test func theHelpOfACommandNeedsNoCompanion() throws {
        let help = try run("help", "apns")
        #expect(help.status == 0)
        #expect(help.output.contains("Runs pushbridge-apns, a separate executable"))
        #expect(help.diagnostics == "")
    }

    /// If the user requires TLS, the command never falls back to a server without TLS.
    @Test(arguments: [
        ["--tls"], ["--listen", "127.0.0.1", "--tls-folder", "x"], ["--listen", "127.0.0.1", "--tls"],
    ])
    func tlsNeedsTheCompanion(_ arguments: [String]) throws {
        let run = try pushbridge.run(["simulate"] + arguments, at: alone, environment: ["PATH": ""])
        #expect(run.status == 69)
        #expect(run.sentences.last?.hasPrefix("pushbridge: The command needs pushbridge-apns, ") == true)
        #expect(run.output == "")
    }

    /// If the companion that listens ends, the command ends, too, and prints a message.
    @Test func theEndOfAListeningCompanionEndsTheCommand() throws {
        try companion("#!/bin/sh\necho '{\"port\":8443}'\nexit 0\n")
        let run = try run("simulate", "--listen", "192.0.2.1", "--json")
        #expect(run.status == 75)
        #expect(
            run.sentences.last == "pushbridge: pushbridge-apns, which listened at 192.0.2.1:8443, has ended."
        )
        #expect(run.output.contains(#""base":"https://192.0.2.1:8443/am""#))
    }

    @Test func aMissingAuditIsReportedWithItsBuildCommand() throws {
        let run = try run("audit", "--json")
        #expect(run.status == 69)
        #expect(
            run.diagnostics.hasPrefix(
                "pushbridge: The command needs pushbridge-audit, which is neither next to "
            )
        )
        let build = "swift build --product pushbridge-audit --package-path Tools/Audit"
        #expect(run.diagnostics.hasSuffix("it is built with: \(build)\n"))
    }

    /// The tool finds a companion on the `PATH`, as git finds its commands.
    @Test func companionInThePathIsRun() throws {
        let elsewhere = try TemporaryFolder()
        try companion("#!/bin/sh\necho \"companion: $*\"\nexit 5\n", in: elsewhere)
        let run = try run("apns", "send", "--help", "a b", path: "/nowhere:\(elsewhere.url.path)")
        #expect(run.output == "companion: send --help a b\n")
        #expect(run.status == 5)
    }

    @Test(arguments: [
        (["phone", "--ap"], ["--api", "--apns"]), (["phone", "--api", ""], ["legacy", "async"]),
        (["parity", "--scen"], ["--scenario"]), (["inspect", "--js"], ["--json"]),
    ])
    func bashCompletesTheOptionsOfACompanion(_ words: [String], _ expected: [String]) throws {
        let script = try pushbridge.run(["--generate-completion-script", "bash"], at: alone)
        let file = try place.file("completions", script.output)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        let completion = """
            . "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _pushbridge "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """
        shell.arguments = ["-c", completion, "bash", file.path, place.path("pushbridge")] + words
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.split(separator: "\n").map(String.init) == expected)
    }

    @Test func companionThatCannotBeRunIsAFault() throws {
        try companion("#!/nowhere/interpreter\n")
        for run in [try run("apns", "serve"), try run("phone", "--api", "async", "--apns", "x")] {
            #expect(run.status == 70)
            #expect(run.sentences == ["pushbridge: \(place.path("pushbridge-apns")) cannot be run."])
        }
    }

    /// If the companion fails, its status becomes the status of the command.
    ///
    /// If the companion ends without a message, the command also reports an error, even after status 0. So
    /// scripts do not mistake the run for a success.
    @Test func companionThatEndsEarlyEndsTheCommand() throws {
        try companion("#!/bin/sh\necho 'pushbridge: no.' >&2\nexit 66\n")
        let refused = try run("phone", "--api", "legacy", "--apns", "x")
        #expect(refused.status == 66)
        #expect(refused.diagnostics == "pushbridge: no.\n")
        for end in ["exit 0", "kill -9 $$"] {
            try companion("#!/bin/sh\n\(end)\n")
            let silent = try run("phone", "--api", "async", "--apns", "x")
            #expect(silent.status == 70)
            #expect(silent.sentences == ["pushbridge: pushbridge-apns ended before it was ready."])
        }
    }
}
