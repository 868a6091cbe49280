import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
import PushBridgeCore

/// The lines of standard input.
///
/// The stream ends when the parent command ends.
var inputLines: AsyncStream<Data> {
    let (lines, arriving) = AsyncStream.makeStream(of: Data.self)
    // Reading blocks the thread, so reading must not happen on a thread of the async runtime.
    DispatchQueue(label: "input").async {
        while let line = readLine() { arriving.yield(Data(line.utf8)) }
        arriving.finish()
    }
    return lines
}

/// Sends pushes that arrive as lines of JSON, and writes the outcome of each push.
struct Relay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send the pushes that pushbridge simulate writes to standard input, one per line.",
        shouldDisplay: false
    )

    @OptionGroup var apns: APNsOptions

    @OptionGroup var provider: ProviderOptions

    func run() async throws {
        try await perform {
            let sender = try provider.access(in: apns.apns).provider()
            let topic = provider.topic ?? sender.topic
            try Terminal.write(JSONValue.object(["topic": .string(topic)]).line)
            // Each push has its own task, so that a push that waits for a retry does not block other pushes.
            await withThrowingTaskGroup(of: Void.self) { pushes in
                for await line in inputLines {
                    guard let order = JSONValue(json: line) else { continue }
                    pushes.addTask {
                        try Terminal.write(await Self.outcome(of: order, to: topic, sender).line)
                    }
                }
                // The parent command has ended, so nothing reads the remaining outcomes.
                pushes.cancelAll()
            }
        }
    }

    private static func outcome(of order: JSONValue, to topic: String, _ sender: APNsProvider) async
        -> JSONValue
    {
        let id = order["id"] ?? .null
        var push = APNsPush(
            to: order["token"]?.plainText ?? "",
            topic: topic,
            payload: Data((order["payload"]?.plainText ?? "").utf8)
        )
        push.priority = "10"
        push.collapseId = order["collapseId"]?.plainText
        if case .integer(let seconds)? = order["expiration"] { push.expiration = String(seconds) }
        do {
            let outcome = try await sender.send(push)
            return [
                "id": id, "outcome": outcome.json, "words": .string(outcome.words),
                "explanation": .array(outcome.explanation.map(JSONValue.string)),
                "forgetsToken": .bool(outcome.answer.advice == .forgetToken),
            ]
        } catch {
            let reason = (error as? APNsError)?.reason ?? "\(error)"
            return [
                "id": id, "outcome": ["status": 0, "accepted": false, "reason": .string(reason)],
                "words": .string(reason),
            ]
        }
    }
}

/// Connects to the stand-in as the device with a token, and writes the device's pushes as lines of JSON.
struct Receive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Receive the pushes to a device token, for pushbridge phone.",
        shouldDisplay: false
    )

    @Argument(help: "The device token.")
    var token: String

    @OptionGroup var apns: APNsOptions

    @OptionGroup var provider: ProviderOptions

    @Option(
        help: "The environment of the token: sandbox or production (default: the stand-in's environment)."
    )
    var environment: APNsEnvironment?

    func run() async throws {
        try await perform {
            let access = try provider.access(in: apns.apns)
            let topic = provider.topic ?? access.topic
            let connection = try access.connection()
            let arriving = try await connection.pushes(to: token, topic: topic, environment: environment)
            try Terminal.write(JSONValue.object(["topic": .string(topic)]).line)
            try await withThrowingTaskGroup(of: Void.self) { ends in
                ends.addTask { for await _ in inputLines {} }
                ends.addTask { try await Self.pass(arriving, of: connection) }
                try await ends.next()
                ends.cancelAll()
            }
        }
    }

    /// Writes the pushes when they arrive, and writes the reason when no more pushes can arrive.
    private static func pass(
        _ arriving: AsyncThrowingStream<Data, any Error>,
        of connection: APNsConnection
    ) async throws {
        var reason = "The stand-in for APNs ended the connection."
        do {
            for try await line in arriving { try Terminal.write(line + Data("\n".utf8)) }
        } catch let error as APNsError {
            reason = error.reason
        }
        do {
            // A lost connection does not show whether the host has ended. So for two seconds, the command
            // keeps reconnecting (ten attempts), and reports the error of the first attempt that fails.
            for _ in 0..<10 {
                try await Task.sleep(for: .milliseconds(200))
                try await connection.reach()
            }
        } catch let error as APNsError {
            reason = error.reason
        } catch is CancellationError {
            return
        }
        try Terminal.write(JSONValue.object(["ended": .string(reason)]).line)
    }
}

extension APNsOutcome {
    /// The outcome as JSON.
    var json: JSONValue {
        [
            "status": .integer(answer.status), "accepted": .bool(answer.status == 200),
            "apnsId": .string(answer.id), "reason": .optional(answer.reasonText),
            "timestamp": answer.timestamp.map(JSONValue.integer) ?? .null,
            "advice": .optional(answer.advice?.rawValue),
            "cause": .optional(answer.explanation?.cause),
            "fault": .optional(answer.explanation?.fault.rawValue),
            "remedy": .optional(answer.explanation?.remedy), "attempts": .integer(attempts),
        ]
    }
}
