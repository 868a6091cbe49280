import FRAuthenticator
import FRCore
import Foundation
import PingPush
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating
import PushBridgePlatform
import PushBridgeStore
import PushParity

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A push in the store.
///
/// Either of the two APIs may have stored it.
typealias StoredPush = PushBridgeCore.PushNotification

/// The app on a simulated device.
///
/// The app uses one of the two APIs.
protocol PhoneApp: Sendable {
    /// Enrols with a registration URI, and returns the credential's id.
    func enrol(_ uri: String) async throws -> String
    /// Registers the device token, as an app does at every launch.
    func register(_ token: Data) async throws
    /// Receives a push in the background, and returns the result that the system gets.
    func wake(_ payload: JSONValue) async -> String
    /// Returns the presentation of a push; `nil` if the push is not from PingAM.
    func presentation(of payload: JSONValue) async -> PushPresentation?
    /// Performs the action that a response to a banner selects.
    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction
    /// Answers a push in the app.
    ///
    /// The simulated user always passes the authentication of a biometric push.
    func answer(_ push: StoredPush, _ kind: Step.AnswerKind, number: String) async throws
    /// Ends the app.
    func close() async
}

/// The app with the async API.
struct AsyncPhoneApp: PhoneApp {
    private let client: PushClient

    init(_ store: any CredentialStore) async throws {
        client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.logger = LogManager.none
        }
    }

    func enrol(_ uri: String) async throws -> String { try await client.addCredentialFromUri(uri).id }

    func register(_ token: Data) async throws { _ = try await client.setDeviceToken(token) as Bool }

    func wake(_ payload: JSONValue) async -> String {
        await client.backgroundResult(of: payload.userInfo).map { "\($0)" } ?? "foreign"
    }

    func presentation(of payload: JSONValue) async -> PushPresentation? {
        await client.presentation(of: payload.userInfo)
    }

    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction {
        await client.perform(actionId, userInfo: payload.userInfo, text: text)
    }

    func answer(_ push: StoredPush, _ kind: Step.AnswerKind, number: String) async throws {
        guard try await client.answer(push.id, kind, number: number) else {
            throw CommandFailure.answeredAlready
        }
    }

    func close() async { await client.close() }
}

/// The app with the callback API.
struct LegacyPhoneApp: PhoneApp {
    private let client: FRAClient
    private let handler: FRAPushHandler

    init(_ store: any CredentialStore) {
        (client, handler) = FRAClient.separate(store: store, localAuthentication: PassedAuthentication())
    }

    func enrol(_ uri: String) async throws -> String {
        guard let url = URL(string: uri) else {
            throw CommandFailure(status: .usage, sentence: "The registration URI is not a valid URI.")
        }
        guard url.scheme?.lowercased() != "otpauth" else {
            throw CommandFailure(status: .usage, sentence: "The registration URI is not for push.")
        }
        return try await withCheckedThrowingContinuation { continuation in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { continuation.resume(returning: $0.mechanismUUID) },
                onError: { continuation.resume(throwing: $0) }
            )
        }
    }

    func register(_ token: Data) async throws {
        handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    func wake(_ payload: JSONValue) async -> String {
        await withCheckedContinuation { continuation in
            let isOurs = handler.backgroundResult(of: payload.userInfo) {
                continuation.resume(returning: "\($0)")
            }
            if !isOurs { continuation.resume(returning: "foreign") }
        }
    }

    func presentation(of payload: JSONValue) async -> PushPresentation? {
        await withCheckedContinuation { continuation in
            let isOurs = handler.presentation(of: payload.userInfo) { continuation.resume(returning: $0) }
            if !isOurs { continuation.resume(returning: nil) }
        }
    }

    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction {
        await withCheckedContinuation { continuation in
            let isOurs = handler.perform(actionId, userInfo: payload.userInfo, text: text) {
                continuation.resume(returning: $0)
            }
            if !isOurs { continuation.resume(returning: .foreign) }
        }
    }

    func answer(_ push: StoredPush, _ kind: Step.AnswerKind, number: String) async throws {
        let known = client.getAllNotifications().first { $0.messageId == push.messageId }
        guard let known else { throw CommandFailure.answeredAlready }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            known.answer(
                kind,
                number: number,
                onSuccess: { continuation.resume() },
                onError: { continuation.resume(throwing: $0) }
            )
        }
    }

    func close() async {}
}

extension CommandFailure {
    fileprivate static let answeredAlready = CommandFailure(
        status: .needsAttention,
        sentence: "The push was answered already."
    )

    /// Creates the error for a registration URI that could not be used.
    init(enrolling error: any Error) {
        let status: ExitStatus =
            switch error {
            case PushError.networkFailure, NetworkError.invalidResponseDataType, is URLError: .tryAgain
            case NetworkError.apiRequestFailure(_, let response as HTTPURLResponse, _)
            where (400..<500).contains(response.statusCode): .usage
            case NetworkError.apiRequestFailure: .tryAgain
            case PushError.duplicateCredential: .usage
            case is PushStorageError, is FRAError, PushError.storageFailure: .unwritableOutput
            case is PushError, is MechanismError, is CryptoError, is NetworkError, is AccountError: .usage
            default: CommandFailure(error, storeRole: .output).status
            }
        let isUntrusted: Bool =
            switch error {
            case PushError.networkFailure(_, let cause as URLError), let cause as URLError:
                PushTransportError(cause) == .tls
            default: false
            }
        let trust =
            " If simulate created the certificate, make the system trust the root certificate in root.pem."
        self.init(status: status, sentence: error.sentence + (isUntrusted ? trust : ""))
    }
}

extension Error {
    /// The error as one sentence for the user.
    var sentence: String {
        // If an answer did not reach the server, the callback API reports the system's error. Its text differs
        // between systems, so the text of `NetworkError` is shown.
        guard let error = self as? URLError else { return CommandFailure(self, storeRole: .output).sentence }
        return NetworkError.apiRequestFailure(nil, nil, error).localizedDescription
    }
}

extension StoredPush {
    /// Returns the kind of answer that the user's response means, and the number that the response contains.
    func answer(_ kind: PushAction.Kind, number: String?) throws -> (kind: Step.AnswerKind, number: String) {
        switch kind {
        case .deny: (.deny, "")
        case .enterNumber: (.challenge, try shown(number))
        case .approve: (pushType == .biometric ? .biometric : .approve, "")
        }
    }

    /// Returns the number that the user typed.
    ///
    /// Throws if the user typed no number, or a number that the challenge does not show, because servers before 8.1.0
    /// treat a wrong number as a denial.
    private func shown(_ number: String?) throws -> String {
        let typed = number.flatMap { Int($0) }
        guard let typed, pushType != .challenge || numbers.contains(typed) else {
            let list = numbers.map(String.init).joined(separator: ", ")
            let answer = number ?? "An empty answer"
            let sentence =
                list.isEmpty
                ? "\(answer) is not a number."
                : "\(answer) is not one of the numbers that the push shows: \(list)."
            throw CommandFailure(status: .usage, sentence: sentence)
        }
        return String(typed)
    }

    /// The numbers of a challenge from which the user chooses; empty for other pushes.
    var choices: [Int] { pushType == .challenge ? numbers : [] }
}
