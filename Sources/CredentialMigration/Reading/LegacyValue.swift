import LegacyStore
import PushBridgeCore

/// A legacy record together with the value of the new model that it becomes.
///
/// Indirect, because the values are large and are handed from step to step.
indirect enum LegacyValue {
    case account(LegacyAccount)
    case push(LegacyMechanism, LegacyPushParameters, PushCredential)
    case oath(LegacyMechanism, OathCredential)
    case notification(PushNotification)
    case deviceToken(PushDeviceToken)

    /// Converts a record.
    ///
    /// `account` finds the account of a mechanism that brings none itself.
    init(_ decoded: DecodedItem, account find: (AccountKey) -> LegacyAccount?) throws(ConversionError) {
        switch decoded.record {
        case .account(let account):
            self = .account(account)
        case .mechanism(let mechanism):
            let account = decoded.embeddedAccount ?? find(mechanism.account)
            if case .push(let parameters) = mechanism.factor {
                self = .push(
                    mechanism,
                    parameters,
                    try PushCredential(mechanism: mechanism, parameters: parameters, account: account)
                )
            } else {
                self = .oath(mechanism, try OathCredential(mechanism: mechanism, account: account))
            }
        case .notification(let notification):
            var converted = try PushNotification(
                notification,
                id: decoded.receipt?.id,
                createdAt: decoded.receipt?.createdAt
            )
            converted.respondedAt = decoded.receipt?.respondedAt
            self = .notification(converted)
        case .deviceToken(let token):
            self = .deviceToken(token)
        }
    }

    /// The credential that the value is, or belongs to.
    var credentialId: String? {
        switch self {
        case .push(_, _, let credential): credential.id
        case .oath(_, let credential): credential.id
        case .notification(let notification): notification.credentialId
        case .account, .deviceToken: nil
        }
    }
}
