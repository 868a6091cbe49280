import ArgumentParser
package import Foundation
package import PushBridgeCore

/// An executable of this project that is built separately, so that the migration commands can be built quickly.
package struct Companion {
    /// Simulates servers and phones, and runs both APIs: simulate, phone, parity, lab, rehearse and conform.
    package static let trying = Companion(name: "pushbridge-try", package: "Tools")

    /// Judges a roll-out by the events of all its phones.
    package static let fleet = Companion(name: "pushbridge-fleet", package: "Tools")

    /// Communicates with APNs, and contains the stand-in for APNs.
    package static let apns = Companion(name: "pushbridge-apns", package: "Tools/APNs")

    /// Audits an app with the index that the app's build wrote.
    package static let audit = Companion(name: "pushbridge-audit", package: "Tools/Audit")

    package let name: String
    /// The folder of the companion's package within a copy of the project.
    let package: String

    /// Whether the executable was found.
    package var isBuilt: Bool { found != nil }

    /// The folder of this executable; `nil` if it is not known.
    private var own: String? {
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// The companion's path: in this executable's folder, or else on the `PATH`; `nil` if it is in neither place.
    private var found: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = (own.map { [$0] } ?? []) + path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    /// Returns the path of the companion.
    /// - Throws: ``CommandFailure`` with the build command if the companion is missing.
    package func executable() throws(CommandFailure) -> String {
        guard let found else {
            throw CommandFailure(
                status: .unavailable,
                sentence:
                    "The command needs \(name), which is neither next to pushbridge nor on the PATH; "
                    + "it is built with: \(Self.command(for: self, beside: own))"
            )
        }
        return found
    }

    /// Returns the command that builds the companion, beside this executable if possible.
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

    /// Replaces this process with the companion.
    /// - Throws: ``CommandFailure`` if the companion is missing or cannot be run.
    package func takeOver(_ arguments: [String]) throws(CommandFailure) -> Never {
        let executable = try executable()
        var texts = ([executable] + arguments).map { strdup($0) } + [nil]
        // The companion inherits the signal mask of this thread. A blocked signal would disable Ctrl-C.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        execv(executable, &texts)
        throw CommandFailure(status: .fault, sentence: "\(executable) cannot be run.")
    }

    /// Runs the companion, and returns its output.
    /// - Throws: ``CommandFailure`` if the companion is missing, or the error that prevented it from starting.
    package func output(of arguments: [String]) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try executable())
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    /// Starts the companion as a child process.
    /// - Throws: ``CommandFailure`` if the companion is missing or cannot be run.
    package func start(_ arguments: [String]) throws(CommandFailure) -> CompanionProcess {
        let executable = try executable()
        do {
            return try CompanionProcess(executable, arguments)
        } catch {
            throw CommandFailure(status: .fault, sentence: "\(executable) cannot be run.")
        }
    }
}

/// A companion that runs as a child process and exchanges lines with this process.
///
/// The companion ends when this process ends.
package final class CompanionProcess: Sendable {
    /// The lines that the companion writes to stdout until it ends.
    package let lines: AsyncStream<Data>
    private let process = Process()
    private let input = Pipe()

    fileprivate init(_ executable: String, _ arguments: [String]) throws {
        let (output, process) = (Pipe(), process)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // The companion ends when this pipe closes. The system closes the pipe whenever this process ends.
        process.standardInput = input
        process.standardOutput = output
        let (lines, arriving) = AsyncStream.makeStream(of: Data.self)
        self.lines = lines
        try process.run()
        // Reading blocks, so it must not run on a thread of the async runtime.
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

    /// Waits for the companion's first line, which reports that the companion is ready.
    /// - Returns: The line.
    /// - Throws: The companion's exit status if the companion failed, because it has then explained the failure on
    ///   stderr; ``CommandFailure`` if it ended in another way without a line.
    @discardableResult
    package func waitUntilReady() async throws -> Data {
        for await line in lines { return line }
        guard process.terminationReason == .exit, process.terminationStatus != 0 else {
            let name = process.executableURL?.lastPathComponent ?? ""
            throw CommandFailure(status: .fault, sentence: "\(name) ended before it was ready.")
        }
        throw ExitCode(process.terminationStatus)
    }

    /// Writes a line; returns whether the companion can still read it.
    package func write(_ line: JSONValue) -> Bool {
        guard process.isRunning else { return false }
        do {
            try input.fileHandleForWriting.write(contentsOf: Data(line.line.utf8))
            return true
        } catch {
            return false
        }
    }

    /// Ends the companion if it is running.
    package func end() {
        // A companion that never started or has ended has no process to signal.
        if process.isRunning { process.terminate() }
    }
}
