import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// An executable of ours that is built only when asked for, so that it adds nothing to the build of the
/// other commands.
struct Companion {
    /// Speaks to APNs, and is its stand-in.
    static let apns = Companion(name: "pushbridge-apns", package: "Tools/APNs")

    /// Reads the index of an app's build.
    static let audit = Companion(name: "pushbridge-audit", package: "Tools/Audit")

    let name: String
    /// The folder of its package, in a copy of the project.
    let package: String

    /// Whether it is there.
    var isBuilt: Bool { found != nil }

    /// Where this executable is.
    private var own: String? {
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// Where it is: beside this executable, else in a folder of `PATH`.
    private var found: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = (own.map { [$0] } ?? []) + path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    /// Where it is.
    /// - Throws: ``CommandFailure`` if it is nowhere, with the command that builds it.
    func executable() throws(CommandFailure) -> String {
        guard let found else {
            throw CommandFailure(
                status: .unavailable,
                sentence: "This needs \(name), which is neither beside pushbridge nor in a folder of PATH; "
                    + "it is built with: \(Self.command(for: self, beside: own))"
            )
        }
        return found
    }

    /// The command that builds it where this executable was built.
    private static func command(for companion: Companion, beside folder: String?) -> String {
        let parts = folder.map { URL(fileURLWithPath: $0) }
        let name = parts?.lastPathComponent.lowercased() ?? ""
        let configuration = name.hasPrefix("release") ? " -c release" : ""
        let isBuilt = ["debug", "release"].contains(name)
        let scratch = isBuilt ? parts?.deletingLastPathComponent().deletingLastPathComponent().path : nil
        let place = scratch.map { " --scratch-path \($0)" } ?? ""
        let product = "--product \(companion.name) --package-path \(companion.package)"
        return "swift build\(configuration) \(product)\(place)"
    }

    /// Lets it take the place of this process.
    /// - Throws: ``CommandFailure`` if it is not there or cannot be run.
    func takeOver(_ arguments: [String]) throws(CommandFailure) -> Never {
        let executable = try executable()
        var texts = ([executable] + arguments).map { strdup($0) } + [nil]
        // The calling thread may hold signals back, and the mask would be handed on: Ctrl-C would end nothing.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        execv(executable, &texts)
        throw CommandFailure(status: .fault, sentence: "\(executable) cannot be run.")
    }

    /// Starts it beside this process.
    /// - Throws: ``CommandFailure`` if it is not there or cannot be run.
    func start(_ arguments: [String]) throws(CommandFailure) -> CompanionProcess {
        let executable = try executable()
        do {
            return try CompanionProcess(executable, arguments)
        } catch {
            throw CommandFailure(status: .fault, sentence: "\(executable) cannot be run.")
        }
    }
}

/// A companion that runs beside this process, and ends with it; both write lines to each other.
final class CompanionProcess: Sendable {
    /// Its output on stdout, until it ends.
    let lines: AsyncStream<Data>
    private let process = Process()
    private let input = Pipe()

    fileprivate init(_ executable: String, _ arguments: [String]) throws {
        let (output, process) = (Pipe(), process)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // It ends when this pipe ends, for any end of this process.
        process.standardInput = input
        process.standardOutput = output
        let (lines, arriving) = AsyncStream.makeStream(of: Data.self)
        self.lines = lines
        try process.run()
        // Reading blocks, which threads of async code must not.
        DispatchQueue(label: "companion").async {
            var rest = Data()
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    arriving.yield(Data(rest[..<end]))
                    rest = Data(rest[(end + 1)...])
                }
            }
            process.waitUntilExit()
            arriving.finish()
        }
    }

    deinit {
        end()
    }

    /// Waits until it says, by its first line, that it is ready.
    /// - Returns: The line.
    /// - Throws: Its exit status if it ended instead, having told stderr why; ``CommandFailure`` if it said nothing.
    @discardableResult
    func waitUntilReady() async throws -> Data {
        for await line in lines { return line }
        guard process.terminationReason == .exit, process.terminationStatus != 0 else {
            let name = process.executableURL?.lastPathComponent ?? ""
            throw CommandFailure(status: .fault, sentence: "\(name) ended before it was ready.")
        }
        throw ExitCode(process.terminationStatus)
    }

    /// Writes a line, and returns whether it is there to read it.
    func write(_ line: JSONValue) -> Bool {
        guard process.isRunning else { return false }
        do {
            try input.fileHandleForWriting.write(contentsOf: Data(line.line.utf8))
            return true
        } catch {
            return false
        }
    }

    /// Ends it, if it runs.
    func end() {
        // One that was never started, or has ended, has no process to signal.
        if process.isRunning { process.terminate() }
    }
}
