import CredentialMigration
import Foundation
import PingOath
import PingPush

/// An app's own storages: each of the SDK's values is stored, then read back.
struct AppStorages: Sendable {
    let oath: any OathStorage
    let push: any PushStorage

    /// The results of storing items in the storages.
    struct Stored {
        /// The reason why a credential, or one of its notifications, was not stored, by the credential's id; empty if
        /// it was stored.
        fileprivate var credentials: [String: String] = [:]
        fileprivate var notifications: [String: String] = [:]
        /// The credentials of each account, by the name that the legacy SDK gives accounts.
        fileprivate var accounts: [String: [String]] = [:]
        fileprivate var token: String?

        /// The reason why a record of the legacy store must stay; `nil` if the storages contain everything of it.
        func obstacle(to record: MigrationRecord) -> String? {
            let noPlace = "The app's own storage has no place for it."
            switch (record.kind, record.result.outcome) {
            case (_, .kept): return noPlace
            case (.account, _):
                guard let ids = accounts[record.key] else { return noPlace }
                return ids.compactMap { obstacle(credentials[$0]) }.first
            case (.push, _), (.totp, _), (.hotp, _):
                return record.result.credentialId.map { obstacle(credentials[$0]) } ?? noPlace
            case (.notification, _):
                guard let id = record.result.credentialId else { return noPlace }
                return obstacle(credentials[id]) ?? obstacle(notifications[id])
            case (.deviceToken, _): return obstacle(token)
            case (.unknown, _): return noPlace
            }
        }

        /// An empty reason means success; `nil` means that the item was never tried, so it stays.
        private func obstacle(_ reason: String?) -> String? {
            reason.map { $0.isEmpty ? nil : $0 } ?? "It did not reach the app's own storage."
        }
    }

    /// Stores the results of a migration; never replaces existing items.
    ///
    /// - Parameter items: The items in the SDK's format.
    /// - Returns: The stored items, and the reason for each of the others.
    /// - Throws: An error if an item is not one of the SDK's; a storage's errors become reasons.
    func store(_ items: InMemoryKeychain) async throws -> Stored {
        let services = StandardStore.KeychainServices()
        var stored = Stored()
        let decoder = JSONDecoder()
        for item in try items.items(service: services.oathCredentials, accessGroup: nil) {
            let secret = try items.data(.init(service: services.oathSecrets, account: item.name.account))
            let value = try decoder.decode(OathItem.self, from: item.data)
            stored.accounts["\(value.issuer)-\(value.accountName)", default: []].append(value.id)
            stored.credentials[value.id] = await reason {
                try await store(value.credential(String(decoding: secret ?? Data(), as: UTF8.self)))
            }
        }
        decoder.dateDecodingStrategy = .iso8601
        for item in try items.items(service: services.credentials, accessGroup: nil) {
            let value = try decoder.decode(PushCredential.self, from: item.data)
            stored.accounts["\(value.issuer)-\(value.accountName)", default: []].append(value.id)
            stored.credentials[value.id] = await reason { try await store(value) }
        }
        for item in try items.items(service: services.notifications, accessGroup: nil) {
            let value = try decoder.decode(PushNotification.self, from: item.data)
            let obstacle = await reason { try await store(value) }
            let earlier = stored.notifications[value.credentialId] ?? ""
            stored.notifications[value.credentialId] = earlier.isEmpty ? obstacle : earlier
        }
        for item in try items.items(service: services.tokens, accessGroup: nil) {
            let token = try decoder.decode(PushDeviceToken.self, from: item.data)
            stored.token = await reason {
                // One that the app has set is newer.
                if try await push.getCurrentPushDeviceToken() == nil {
                    try await push.storePushDeviceToken(token)
                }
                return try await push.getCurrentPushDeviceToken() != nil
            }
        }
        return stored
    }

    /// Why something did not arrive; empty if it did.
    private func reason(_ store: () async throws -> Bool) async -> String {
        do {
            return try await store()
                ? "" : "The app's own storage has another one, or did not give back what it was given."
        } catch {
            return "The app's own storage refused it: \(AuthMigrationError.sentence(error))"
        }
    }

    private func store(_ credential: OathCredential) async throws -> Bool {
        if try await oath.retrieveOathCredential(credentialId: credential.id) == nil {
            try await oath.storeOathCredential(credential)
        }
        guard let stored = try await oath.retrieveOathCredential(credentialId: credential.id) else {
            return false
        }
        // The stored counter may have increased since an earlier run; the key is still the same.
        return try await secret(of: stored) == secret(of: credential)
            && stored.oathType == credential.oathType && stored.oathAlgorithm == credential.oathAlgorithm
            && stored.digits == credential.digits && stored.counter >= credential.counter
            && (stored.oathType == .hotp || stored.period == credential.period)
            && stored.issuer == credential.issuer && stored.accountName == credential.accountName
    }

    /// The SDK shows a secret nowhere else.
    private func secret(of credential: OathCredential) async throws -> String {
        let code = URLComponents(string: try await credential.toUri())
        guard let secret = code?.queryItems?.first(where: { $0.name == "secret" })?.value, !secret.isEmpty
        else {
            throw CocoaError(.coderValueNotFound)
        }
        return secret.uppercased().filter { $0 != "=" }
    }

    private func store(_ credential: PushCredential) async throws -> Bool {
        if try await push.retrievePushCredential(credentialId: credential.id) == nil {
            try await push.storePushCredential(credential)
        }
        guard let stored = try await push.retrievePushCredential(credentialId: credential.id) else {
            return false
        }
        return try signing(of: stored) == signing(of: credential)
            && stored.issuer == credential.issuer && stored.accountName == credential.accountName
            && stored.serverEndpoint == credential.serverEndpoint
    }

    private struct Signing: Decodable, Equatable {
        let sharedSecret: String
    }

    private func signing(of credential: PushCredential) throws -> Signing {
        try JSONDecoder().decode(Signing.self, from: try JSONEncoder().encode(credential))
    }

    private func store(_ notification: PushNotification) async throws -> Bool {
        if try await push.retrievePushNotification(notificationId: notification.id) == nil {
            try await push.storePushNotification(notification)
        }
        let stored = try await push.retrievePushNotification(notificationId: notification.id)
        return stored?.messageId == notification.messageId
    }
}

/// An item of a one-time-password credential, whose secret is in another item; the SDK has no other way to join both.
private struct OathItem: Decodable {
    let id: String
    let userId, resourceId: String?
    let issuer, displayIssuer, accountName, displayAccountName: String
    let oathType, oathAlgorithm: String
    let digits, period, counter: Int
    let createdAt: Date
    let imageURL, backgroundColor, policies, lockingPolicy: String?
    let isLocked: Bool

    func credential(_ secret: String) throws -> OathCredential {
        OathCredential(
            id: id,
            userId: userId,
            resourceId: resourceId,
            issuer: issuer,
            displayIssuer: displayIssuer,
            accountName: accountName,
            displayAccountName: displayAccountName,
            oathType: try OathType.fromString(oathType),
            oathAlgorithm: try OathAlgorithm.fromString(oathAlgorithm),
            digits: digits,
            period: period,
            counter: counter,
            createdAt: createdAt,
            imageURL: imageURL,
            backgroundColor: backgroundColor,
            policies: policies,
            lockingPolicy: lockingPolicy,
            isLocked: isLocked,
            secretKey: secret
        )
    }
}
