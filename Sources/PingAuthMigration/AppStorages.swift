import CredentialMigration
import Foundation
import PingOath
import PingPush

/// Stores the migrated values in the storages that an app has set, and reads each value back.
struct AppStorages: Sendable {
    let oath: any OathStorage
    let push: any PushStorage

    /// The results of storing items in the storages.
    struct Stored {
        /// The reason why each credential was not stored, by the credential's id; empty if it was stored.
        fileprivate var credentials: [String: String] = [:]
        /// The reason why a notification of each credential was not stored, by the credential's id.
        ///
        /// If all notifications of the credential were stored, the reason is empty.
        fileprivate var notifications: [String: String] = [:]
        /// The ids of each account's credentials, by the account's legacy key.
        fileprivate var accounts: [String: [String]] = [:]
        fileprivate var token: String?

        /// Returns the reason why a record must stay in the legacy store; `nil` if the storages contain all data
        /// of the record.
        func obstacle(to record: MigrationRecord) -> String? {
            let noPlace = "The app's own storage cannot contain the record."
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

        /// Returns the obstacle that a reason in ``Stored`` states; `nil` if the reason is empty, because the item was
        /// stored.
        ///
        /// If there is no reason, the migration did not try to store the item, which is an obstacle too.
        private func obstacle(_ reason: String?) -> String? {
            reason.map { $0.isEmpty ? nil : $0 } ?? "The record was not stored in the app's own storage."
        }
    }

    /// Stores the results of a migration; never replaces existing items.
    ///
    /// - Parameter items: The items in the SDK's format.
    /// - Returns: The reasons why items were not stored.
    /// - Throws: An error if an item is not in the SDK's format. The errors of a storage become reasons.
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
                // If the app has already set a token, the app's token is newer.
                if try await push.getCurrentPushDeviceToken() == nil {
                    try await push.storePushDeviceToken(token)
                }
                return try await push.getCurrentPushDeviceToken() != nil
            }
        }
        return stored
    }

    /// Returns the reason why a value was not stored; an empty string if the value was stored.
    private func reason(_ store: () async throws -> Bool) async -> String {
        do {
            return try await store()
                ? ""
                : "The app's own storage already contains a different value, or did not return the value that was stored."
        } catch {
            return "The app's own storage rejected the record: \(AuthMigrationError.sentence(error))"
        }
    }

    private func store(_ credential: OathCredential) async throws -> Bool {
        if try await oath.retrieveOathCredential(credentialId: credential.id) == nil {
            try await oath.storeOathCredential(credential)
        }
        guard let stored = try await oath.retrieveOathCredential(credentialId: credential.id) else {
            return false
        }
        // After an earlier run, the stored counter may have increased. So a higher counter is accepted, but
        // the secret and the other values must be equal.
        return try await secret(of: stored) == secret(of: credential)
            && stored.oathType == credential.oathType && stored.oathAlgorithm == credential.oathAlgorithm
            && stored.digits == credential.digits && stored.counter >= credential.counter
            && (stored.oathType == .hotp || stored.period == credential.period)
            && stored.issuer == credential.issuer && stored.accountName == credential.accountName
    }

    /// Reads the secret from the credential's URI, because the SDK's types contain the secret only there.
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

/// The item of a one-time-password credential with all values except the secret.
///
/// A second item contains the secret; the SDK has no API that joins the two items.
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
