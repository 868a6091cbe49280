import Dispatch
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Authenticator {
    /// The token in upper-case hexadecimal.
    func deviceToken() throws -> String? {
        try read { try $0.deviceToken() }?.tokenId.uppercased()
    }

    /// Stores a token and tells those servers that do not know it; those that fail are told again next time.
    func register(_ tokenId: String, environment: PushEnvironment?, resyncs: Bool) throws {
        let now = configuration.now()
        let (token, owed) = try write { view in
            let token = try view.replaceDeviceToken(
                tokenId,
                environment: environment,
                at: now,
                resyncs: resyncs
            )
            return (token, try view.credentials(owed: token, at: now))
        }
        guard !owed.isEmpty else { return }
        let device = describe(token)
        tell(owed, device, token) { errors in
            for error in errors {
                FRALog.e("A server has an old device token: \(error.localizedDescription)")
            }
        }
    }

    /// Stores a token and tells all servers.
    func update(_ tokenId: String, _ callbacks: Callbacks<Void>) {
        callbacks.failing(on: .main) {
            let (token, credentials) = try write { view in
                (try view.replaceDeviceToken(tokenId, at: configuration.now()), try view.pushCredentials())
            }
            guard !credentials.isEmpty else {
                throw PushNotificationError.storageError("There is no push mechanism.")
            }
            let device = describe(token)
            tell(credentials.logged(), device, token) { errors in
                if errors.isEmpty {
                    callbacks.succeed(on: .main)
                } else {
                    callbacks.fail(PushNotificationError.updateFailed(errors: errors), on: .main)
                }
            }
        }
    }

    /// Stores a token and tells the server of one mechanism.
    func update(_ tokenId: String, for mechanism: PushMechanism, _ callbacks: Callbacks<Void>) {
        callbacks.failing {
            let id = mechanism.mechanismUUID
            let (token, credential) = try write { view in
                guard let credential = try view.pushCredential(id: id) else {
                    throw PushAnswerError.credentialNotFound
                }
                return (try view.replaceDeviceToken(tokenId, at: configuration.now()), credential)
            }
            let device = describe(token)
            tell([credential], device, token) { errors in
                errors.first.map(callbacks.failNow) ?? callbacks.succeedNow(())
            }
        }
    }

    func clearDeviceToken() throws {
        _ = try write { try $0.removeDeviceToken() }
    }

    /// The device as servers are to know it; asked on the caller's thread, because the platform tells the name on
    /// the main thread only.
    func describe(_ token: PushBridgeCore.PushDeviceToken) -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId.uppercased(), deviceName: configuration.deviceName())
    }

    /// Tells servers a token, all at once, and calls `completion` once, on a background queue, with the failures in
    /// the order of the credentials.
    ///
    /// What a server says to the first of its credentials holds for all if it takes no tokens.
    private func tell(
        _ credentials: [PushCredential],
        _ device: DeviceDescription,
        _ token: PushBridgeCore.PushDeviceToken,
        completion: @escaping ([any Error]) -> Void
    ) {
        let pass = TokenPass(credentials) { [self] answers in
            try write { try $0.note(answers, to: token, at: configuration.now()) }
        } completion: {
            completion($0)
        }
        let servers = Dictionary(grouping: credentials.indices) { credentials[$0].serverEndpoint }
        for server in servers.values {
            guard let first = server.first else { continue }
            let others = server.dropFirst()
            send(credentials[first].refreshRequest(device: device)) { [self] refusal in
                guard refusal?.isUnsupported != true else { return pass.hear(refusal, for: server) }
                for index in others {
                    send(credentials[index].refreshRequest(device: device)) { pass.hear($0, for: [index]) }
                }
                pass.hear(refusal, for: [first])
            }
        }
    }
}

/// What servers say to a token while they are told it, all at once.
///
/// It is stored in the end, and of a server that keeps the others waiting, a second after the first of them answered.
private final class TokenPass: Sendable {
    private struct State {
        var failures: [Int: (any Error)?] = [:]
        var unstored: [Int: TokenAnswer] = [:]
    }

    private let credentials: [PushCredential]
    private let state = Lock(State())
    private let store: @Sendable ([TokenAnswer]) throws -> Void
    private let completion: Once<[any Error]>

    init(
        _ credentials: [PushCredential],
        store: @escaping @Sendable ([TokenAnswer]) throws -> Void,
        completion: @escaping ([any Error]) -> Void
    ) {
        self.credentials = credentials
        self.store = store
        self.completion = Once(completion)
    }

    func hear(_ refusal: NetworkError?, for indices: [Int]) {
        let (isFirst, isLast) = state.withValue { state in
            let isFirst = state.unstored.isEmpty
            for index in indices {
                let credential = credentials[index]
                state.failures[index] = .some(refusal)
                state.unstored[index] =
                    refusal.map { TokenAnswer(refusedTo: credential, status: $0.status) }
                    ?? TokenAnswer(acceptedBy: credential)
            }
            return (isFirst, state.failures.count == credentials.count)
        }
        if isLast {
            storeAnswers()
            let failures = state.withValue(\.failures)
            completion(credentials.indices.compactMap { failures[$0] ?? nil })
        } else if isFirst {
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.storeAnswers() }
        }
    }

    private func storeAnswers() {
        let answers = state.withValue { state in
            defer { state.unstored = [:] }
            return state.unstored
        }
        guard !answers.isEmpty else { return }
        do {
            try store(Array(answers.values))
        } catch {
            let error = LegacyError.translated(error)
            state.withValue { state in
                for index in answers.keys { state.failures[index] = .some(error) }
            }
        }
    }
}

// MARK: - What servers said

extension Authenticator {
    /// How far the device token came with the server of a mechanism; `nil` if the mechanism is not stored.
    func tokenState(ofMechanism id: String) throws -> TokenState? {
        try read { view in try view.pushCredential(id: id).map(view.tokenState) }
    }

    /// Stores the name under which a mechanism's server knows its user; returns whether the mechanism is stored.
    func setUserId(_ userId: String, ofMechanism id: String) throws -> Bool {
        try write { try $0.setUserId(userId, ofCredential: id) }
    }
}

extension NetworkError {
    /// The status of the server's answer; `nil` if there was none.
    fileprivate var status: Int? {
        guard case .apiRequestFailure(_, let response as HTTPURLResponse, _) = self else { return nil }
        return response.statusCode
    }

    fileprivate var isUnsupported: Bool { TokenAnswer.isUnsupported(status) }
}
