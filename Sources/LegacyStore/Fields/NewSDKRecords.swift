import Foundation
import PushBridgeCore

// This file contains the code that reads records from the JSON of the successor SDK.

/// The keychain services of the successor SDK.
///
/// An item contains one JSON object, or a secret.
package enum NewSDKService: String, CaseIterable {
    case pushCredentials = "com.pingidentity.push.credentials"
    case pushNotifications = "com.pingidentity.push.notifications"
    case pushTokens = "com.pingidentity.push.tokens"
    /// One-time-password credentials without their secrets.
    case oathCredentials = "com.pingidentity.oath"
    /// The secrets of one-time-password credentials, as text.
    case oathSecrets = "com.pingidentity.oath.secrets"

    var counterpart: LegacyService {
        switch self {
        case .pushCredentials, .oathCredentials, .oathSecrets: .mechanism
        case .pushNotifications: .notification
        case .pushTokens: .deviceToken
        }
    }
}

extension DecodedItem {
    /// Reads one JSON object in the successor SDK's format.
    init(newSDK json: Data, service: LegacyService) throws(LegacyRecordError) {
        var fields = try JSONFieldReader(json)
        fields.dates = .iso8601OrSecondsSince2001
        fields.names[.timeAdded] = "createdAt"
        switch service {
        case .account: throw .damaged("The successor SDK has no account records.")
        case .mechanism:
            self.init(
                record: .mechanism(try fields.newMechanism()),
                embeddedAccount: try fields.newAccount()
            )
        case .notification: try self.init(newNotification: fields)
        case .deviceToken:
            if try fields.text(.tokenId) == nil { fields.names[.tokenId] = "token" }
            self.init(record: .deviceToken(try PushDeviceToken(fields: fields)))
        }
    }

    private init(newNotification fields: JSONFieldReader) throws(LegacyRecordError) {
        var fields = fields
        let id = try fields.identifier(.id)
        let createdAt = try fields.require(.timeAdded, fields.date(.timeAdded))
        fields.names[.timeAdded] = "respondedAt"
        let respondedAt = try fields.date(.timeAdded)
        fields.names[.timeAdded] = "sentAt"
        let sentAt = try fields.date(.timeAdded)
        fields.defaults.timeAdded = createdAt
        // A push that an app's own handler created may contain no challenge. With this default, such a push
        // can be read; its challenge is then set to `nil`.
        fields.defaults.challenge = ""
        fields.names[.mechanismUUID] = "credentialId"
        fields.names[.message] = "messageText"
        fields.names[.loadBalanceKey] = "loadBalancer"
        var notification = try PushNotification(fields: fields)
        (notification.id, notification.createdAt) = (id, createdAt)
        (notification.sentAt, notification.respondedAt) = (sentAt, respondedAt)
        if try fields.text(.challenge) == nil { notification.challenge = nil }
        self.init(record: .notification(notification))
    }
}

extension JSONFieldReader {
    fileprivate func newMechanism() throws(LegacyRecordError) -> LegacyMechanism {
        var fields = self
        fields.names[.mechanismUUID] = "id"
        fields.names[.uid] = "userId"
        fields.names[.algorithm] = "oathAlgorithm"
        fields.names[.secret] = "sharedSecret"
        _ = try fields.identifier(.mechanismUUID)
        guard contains("oathType") else {
            return try LegacyMechanism(fields, .push(newPushParameters()))
        }
        if try text(.secret) != nil { fields.names[.secret] = nil }
        guard try fields.secret(.secret) != nil else {
            throw .invalidSecret(
                "The secret, which the successor SDK stores in a separate item, is missing or empty."
            )
        }
        return try LegacyMechanism(fields: fields, kind: oathKind(requiredText(.oathType)))
    }

    /// Reads the account that the credential contains.
    ///
    /// The successor SDK always fills in the display names. So a display name that equals the issuer or the account
    /// name is left out, because the user did not choose it.
    fileprivate func newAccount() throws(LegacyRecordError) -> LegacyAccount {
        var fields = self
        fields.names[.lock] = "isLocked"
        var account = try LegacyAccount(fields: fields)
        let profile = account.profile
        if profile.customDisplayIssuer == profile.issuer { account.profile.customDisplayIssuer = nil }
        if profile.customDisplayAccountName == profile.accountName {
            account.profile.customDisplayAccountName = nil
        }
        return account
    }

    /// Reads the addresses and the registration of a push credential.
    ///
    /// If PushBridge's own keychain store saved the complete addresses, they are used. Otherwise, the
    /// addresses are derived from the one address that the successor SDK stores, in the same way as the SDK
    /// derives them.
    private func newPushParameters() throws(LegacyRecordError) -> LegacyPushParameters {
        let server = try requiredText(.server)
        guard try text(.platform).map({ PushPlatform(name: $0) != nil }) ?? true else {
            throw .unsupported(
                "The push credential is for an unsupported platform; only PingAM is supported."
            )
        }
        let verbatim: LegacyPushParameters?
        if let kept = try object("pushBridge") {
            verbatim = try LegacyPushParameters(kept)
        } else {
            verbatim = nil
        }
        let endpoints = PushEndpoints(uncheckedServer: server)
        return LegacyPushParameters(
            registrationEndpoint: verbatim?.registrationEndpoint ?? endpoints.registration,
            authenticationEndpoint: verbatim?.authenticationEndpoint ?? endpoints.authentication,
            registration: verbatim?.registration,
            server: server
        )
    }
}
