import AuthenticatorCore
import FRCore
import Foundation

extension Authenticator {
    /// The token in upper-case hexadecimal.
    func deviceToken() throws -> String? {
        try read { try $0.deviceToken() }?.tokenId.uppercased()
    }

    /// Stores a token and tells those servers that do not know it; those that fail are told again next time.
    func register(_ tokenId: String) throws {
        let (token, owed) = try write { view in
            let token = try view.replaceDeviceToken(tokenId, at: configuration.now())
            return (token, try view.credentials(owed: token))
        }
        guard !owed.isEmpty else { return }
        let device = describe(token)
        Task {
            for error in await tell(owed, device, token) {
                FRALog.e("A server has an old device token: \(error.localizedDescription)")
            }
        }
    }

    /// Stores a token and tells all servers.
    func update(_ tokenId: String, _ callbacks: Callbacks<Void>) {
        do {
            let (token, credentials) = try write { view in
                (try view.replaceDeviceToken(tokenId, at: configuration.now()), try view.pushCredentials())
            }
            guard !credentials.isEmpty else {
                throw PushNotificationError.storageError("There is no push mechanism.")
            }
            let device = describe(token)
            Task {
                let errors = await tell(credentials, device, token)
                if errors.isEmpty {
                    callbacks.succeed(on: .main)
                } else {
                    callbacks.fail(PushNotificationError.updateFailed(errors: errors), on: .main)
                }
            }
        } catch {
            callbacks.fail(LegacyError.translated(error), on: .main)
        }
    }

    /// Stores a token and tells the server of one mechanism.
    func update(_ tokenId: String, for mechanism: PushMechanism, _ callbacks: Callbacks<Void>) {
        do {
            let id = mechanism.mechanismUUID
            let (token, credential) = try write { view in
                guard let credential = try view.pushCredential(id: id) else {
                    throw PushAnswerError.credentialNotFound
                }
                return (try view.replaceDeviceToken(tokenId, at: configuration.now()), credential)
            }
            let device = describe(token)
            Task {
                if let error = await tell([credential], device, token).first {
                    callbacks.fail(error)
                } else {
                    callbacks.succeed()
                }
            }
        } catch {
            callbacks.failNow(LegacyError.translated(error))
        }
    }

    func clearDeviceToken() throws {
        _ = try write { try $0.removeDeviceToken() }
    }

    /// The device as servers are to know it; asked on the caller's thread, because the platform tells the name on
    /// the main thread only.
    func describe(_ token: AuthenticatorCore.PushDeviceToken) -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId.uppercased(), deviceName: configuration.deviceName())
    }

    /// Tells servers a token, all at once, and answers the failures in the order of the credentials.
    private func tell(
        _ credentials: [PushCredential],
        _ device: DeviceDescription,
        _ token: AuthenticatorCore.PushDeviceToken
    ) async -> [any Error] {
        await withTaskGroup(of: (Int, (any Error)?).self) { group in
            for (index, credential) in credentials.enumerated() {
                group.addTask { [self] in (index, await tell(credential, device, token)) }
            }
            var failures: [(index: Int, error: any Error)] = []
            for await (index, error) in group {
                if let error { failures.append((index, error)) }
            }
            return failures.sorted { $0.index < $1.index }.map(\.error)
        }
    }

    private func tell(
        _ credential: PushCredential,
        _ device: DeviceDescription,
        _ token: AuthenticatorCore.PushDeviceToken
    ) async -> (any Error)? {
        do {
            try await send(credential.refreshRequest(device: device))
            try write { try $0.confirm(token, for: credential.id) }
            return nil
        } catch {
            return LegacyError.translated(error)
        }
    }
}
