import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Authenticator {
    /// Stores a token and tells those servers that do not know it; those that fail are told again next time.
    ///
    /// Unless it throws, calls `whenTold` once, when all were asked and what they said is stored.
    func register(_ tokenId: String, whenTold: @escaping @Sendable () -> Void) throws {
        let (now, settings) = (configuration.now(), configuration.push.withValue { $0 })
        let (token, owed) = try write { view in
            let token = try view.replaceDeviceToken(
                tokenId,
                environment: settings.environment,
                at: now,
                resyncs: settings.resyncs
            )
            return (token, try view.credentials(owed: token, at: now))
        }
        guard !owed.isEmpty else { return whenTold() }
        let device = describe(token)
        tell(owed, device, token) { errors in
            for error in errors {
                FRALog.e("A server has an old device token: \(error.localizedDescription)")
            }
            whenTold()
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

    /// The device as servers are to know it; asked on the caller's thread, because the platform tells the name on
    /// the main thread only.
    func describe(_ token: PushBridgeCore.PushDeviceToken) -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId.uppercased(), deviceName: configuration.deviceName())
    }

    private typealias Answer = (credential: PushCredential, refusal: NetworkError?)

    /// Tells servers a token, all at once, and calls `completion` once, on a background queue, with the failures in
    /// the order of the credentials.
    ///
    /// What a server says to all its credentials is stored in one go.
    private func tell(
        _ credentials: [PushCredential],
        _ device: DeviceDescription,
        _ token: PushBridgeCore.PushDeviceToken,
        completion: @escaping ([any Error]) -> Void
    ) {
        let outcomes = Lock<[String: (any Error)?]>([:])
        for server in Dictionary(grouping: credentials, by: \.serverEndpoint).values {
            tell(server, device) { [self] answers in
                let failure = note(answers, of: token)
                let all = outcomes.withValue { outcomes in
                    for (credential, refusal) in answers {
                        outcomes[credential.id] = .some(failure ?? refusal)
                    }
                    return outcomes
                }
                guard all.count == credentials.count else { return }
                completion(credentials.compactMap { all[$0.id] ?? nil })
            }
        }
    }

    /// Tells one server; one that takes no tokens, or does not answer, is asked for the first of its credentials only.
    private func tell(
        _ credentials: [PushCredential],
        _ device: DeviceDescription,
        completion: @escaping ([Answer]) -> Void
    ) {
        guard let first = credentials.first else { return }
        send(first.refreshRequest(device: device)) { [self] refusal in
            if credentials.count == 1 || refusal?.tokenOutcome.isOfServer == true {
                return completion(credentials.map { ($0, refusal) })
            }
            let answers = Lock<[Answer]>([(first, refusal)])
            for credential in credentials.dropFirst() {
                send(credential.refreshRequest(device: device)) { refusal in
                    let all = answers.withValue { answers in
                        answers.append((credential, refusal))
                        return answers
                    }
                    if all.count == credentials.count { completion(all) }
                }
            }
        }
    }

    /// Stores what a server said to a token; returns why that failed.
    private func note(_ answers: [Answer], of token: PushBridgeCore.PushDeviceToken) -> (any Error)? {
        let told = answers.map { TokenAnswer($0.credential, $0.refusal?.tokenOutcome ?? .accepted) }
        do {
            try write { try $0.note(told, to: token, at: configuration.now()) }
            return nil
        } catch {
            return LegacyError.translated(error)
        }
    }
}

extension NetworkError {
    /// What it says of a device token that was to be told.
    fileprivate var tokenOutcome: TokenAnswer.Outcome {
        switch self {
        case .apiRequestFailure(_, let response as HTTPURLResponse, _): .refused(status: response.statusCode)
        case .apiRequestFailure: .unanswered
        default: .failed
        }
    }
}
