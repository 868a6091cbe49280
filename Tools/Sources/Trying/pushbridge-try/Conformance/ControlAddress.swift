import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// The simulator's control address.
///
/// Requests to this address create codes and sessions, send pushes, and poll like a login page.
struct ControlAddress: PushSupply {
    let address: String
    let realm: String
    let environment: ConformanceEnvironment

    var seesLogins: Bool { true }

    /// Creates a registration URI for a new user, and a session of this user.
    func createUser() async throws -> (code: String, user: String, session: String) {
        let user = "conformance-\(UUID().uuidString.prefix(8).lowercased())"
        let code = try await post(
            "registrations",
            ["issuer": "Conformance", "account": .string(user), "realm": .string(realm)]
        )
        let session = try await post("sessions", ["user": .string(user), "realm": .string(realm)])
        guard let code = code["uri"]?.plainText, let session = session["session"]?.plainText else {
            throw Self.failure
        }
        return (code, user, session)
    }

    func next(_ type: PushType, for device: EnrolledDevice) async throws -> ObservedPush? {
        let order: JSONValue = [
            "mechanismUid": .string(device.mechanismUid), "type": .string(type.rawValue),
        ]
        return ObservedPush(try await post("pushes", order).data)
    }

    func look(afterPush messageId: String) async throws -> String? {
        try await answer(to: Question("GET", "\(address)/pushes/\(messageId)"))["state"]?.plainText
    }

    func look(afterRegistration messageId: String) async throws {
        _ = try await answer(to: Question("GET", "\(address)/registrations/\(messageId)"))
    }

    private func post(_ name: String, _ body: JSONValue) async throws -> JSONValue {
        try await answer(to: Question("\(address)/\(name)", body))
    }

    private func answer(to question: Question) async throws -> JSONValue {
        let answer: Answer
        do {
            answer = try await environment.ask(question)
        } catch is URLError {
            throw Self.failure
        }
        guard answer.status == 200, let json = answer.json else {
            // The simulator explains a refusal in a sentence. The address is not shown, because it works as a
            // password.
            guard let reason = answer.json?["message"]?.plainText else { throw Self.failure }
            throw CommandFailure(status: .usage, sentence: "The simulator refused: \(reason)")
        }
        return json
    }

    private static let failure = CommandFailure(
        status: .tryAgain,
        sentence:
            "The control address does not respond: pass the address that simulate printed when it started."
    )
}
