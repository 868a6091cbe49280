import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Stores a token and sends it to the servers that do not have it.
    ///
    /// A later call sends the token again to a server that could not be reached or, after a waiting time, to a
    /// server that rejected the token.
    ///
    /// Unless this method throws an error, it calls `whenSent` once, after all requests have ended and their
    /// outcomes have been stored.
    func register(_ tokenId: String, whenSent: @escaping @Sendable () -> Void) throws {
        let (now, settings) = (configuration.now(), configuration.push.withValue { $0 })
        let (token, credentials) = try write { view in
            let token = try view.replaceDeviceToken(
                tokenId,
                environment: settings.environment,
                at: now,
                resyncs: settings.resyncs
            )
            return (token, try view.credentials(lacking: token, at: now))
        }
        guard !credentials.isEmpty else { return whenSent() }
        send(credentials, token) { errors in
            for error in errors {
                FRALog.e("A server does not have the current device token: \(error.localizedDescription)")
            }
            whenSent()
        }
    }

    /// Stores a token and sends it to all servers.
    func update(_ tokenId: String, _ callbacks: Callbacks<Void>) {
        callbacks.failing(on: .main) {
            let (token, credentials) = try write { view in
                (try view.replaceDeviceToken(tokenId, at: configuration.now()), try view.pushCredentials())
            }
            guard !credentials.isEmpty else {
                throw PushNotificationError.storageError("There is no push mechanism.")
            }
            send(credentials.logged(), token) { errors in
                if errors.isEmpty {
                    callbacks.succeed(on: .main)
                } else {
                    callbacks.fail(PushNotificationError.updateFailed(errors: errors), on: .main)
                }
            }
        }
    }

    /// Stores a token and sends it to the server of one mechanism.
    func update(_ tokenId: String, for mechanism: PushMechanism, _ callbacks: Callbacks<Void>) {
        callbacks.failing {
            let id = mechanism.value.mechanismUUID
            let (token, credential) = try write { view in
                guard let credential = try view.pushCredential(id: id) else {
                    throw PushAnswerError.credentialNotFound
                }
                return (try view.replaceDeviceToken(tokenId, at: configuration.now()), credential)
            }
            send([credential], token) { errors in
                errors.first.map(callbacks.failNow) ?? callbacks.succeedNow(())
            }
        }
    }

    /// Returns the device's description for servers.
    ///
    /// The platform provides the device's name only on the main thread. The method therefore reads the name
    /// on the caller's thread, not in the background.
    func describe(_ token: PushBridgeCore.PushDeviceToken) -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId, deviceName: configuration.deviceName())
    }

    /// Sends a token to several servers concurrently.
    ///
    /// Calls `completion` once, with the failures in the order of the credentials. If a request was sent, this call is
    /// made on a background queue.
    ///
    /// The results of one server are stored together, after the requests for all credentials of the server have
    /// ended.
    private func send(
        _ credentials: [PushCredential],
        _ token: PushBridgeCore.PushDeviceToken,
        completion: @escaping ([any Error]) -> Void
    ) {
        let tokenUpdate = Lock(TokenUpdate(describe(token), to: credentials))
        let outcomes = Lock<[String: (any Error)?]>([:])
        func settle(_ answers: [TokenAnswer]) {
            recordAnswers(answers, of: token)
            let all = outcomes.withValue { outcomes in
                for answer in answers {
                    outcomes[answer.credential.id] = .some(answer.failure?.networkError)
                }
                return outcomes
            }
            guard all.count == credentials.count else { return }
            completion(credentials.compactMap { all[$0.id] ?? nil })
        }
        func ask() {
            while let refresh = tokenUpdate.withValue({ $0.next() }) {
                perform(refresh) { outcome in
                    let answer = TokenAnswer(refresh.credential, outcome.failure)
                    let answers = tokenUpdate.withValue { tokenUpdate in
                        tokenUpdate.take(answer)
                        return tokenUpdate.removeCompleteAnswers(of: refresh.credential.serverEndpoint)
                    }
                    if answers.isEmpty { ask() } else { settle(answers) }
                }
            }
        }
        ask()
    }

    /// Stores, for each credential, whether its server accepted or rejected a token.
    private func recordAnswers(_ answers: [TokenAnswer], of token: PushBridgeCore.PushDeviceToken) {
        let now = configuration.now()
        let store: UnsavedOutcomes.Storing = { try $0.recordAnswers(answers, to: token, at: now) }
        do {
            try write(store)
        } catch {
            let ids = answers.map(\.credential.id).joined(separator: " ")
            hold("The server's response to the device token", "\(token.tokenId) \(ids)", error, store)
        }
    }
}

extension Swift.Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
