package import Foundation

/// The four keychain services of the legacy SDK.
public enum LegacyService: String, CaseIterable, Sendable {
    /// Accounts.
    case account = "com.forgerock.ios.authenticator.keychainservice.local.account"
    /// Push and one-time-password mechanisms.
    case mechanism = "com.forgerock.ios.authenticator.keychainservice.local.mechanism"
    /// Push notifications.
    case notification = "com.forgerock.ios.authenticator.keychainservice.local.notification"
    /// The APNs token.
    case deviceToken = "com.forgerock.ios.authenticator.keychainservice.local.pushDeviceToken"
}

/// A keychain service whose items are records, and how it encodes them.
package enum RecordService: Hashable {
    case legacy(LegacyService)
    case newSDK(NewSDKService)

    package static let all = LegacyService.allCases.map(legacy) + NewSDKService.allCases.map(newSDK)

    /// Finds the service of a name; `nil` if it holds nothing of ours.
    package init?(name: String) {
        if let service = LegacyService(rawValue: name) {
            self = .legacy(service)
        } else if let service = NewSDKService(rawValue: name) {
            self = .newSDK(service)
        } else {
            return nil
        }
    }

    package var name: String {
        switch self {
        case .legacy(let service): service.rawValue
        case .newSDK(let service): service.rawValue
        }
    }

    /// What its records are in terms of the legacy SDK.
    package var kind: LegacyService {
        switch self {
        case .legacy(let service): service
        case .newSDK(let service): service.counterpart
        }
    }

    /// A value as it lies in the service.
    package func payload(_ value: Data) -> LegacyItem.Payload {
        guard value.count <= LegacyItem.largestValue else { return .tooLarge }
        return switch self {
        case .legacy: .archive(value)
        case .newSDK(.oathSecrets): .newSDKSecret(value)
        case .newSDK: .newSDK(value)
        }
    }
}

extension LegacyItem.Payload {
    package static let tooLarge = damaged("The value is larger than 16 MB.")
}
