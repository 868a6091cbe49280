import Crypto
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

extension LegacyService {
    /// The common prefix of the services' names in the legacy SDK.
    public static let prefix = "com.forgerock.ios.authenticator.keychainservice.local"
    /// The common prefix of the services' names in the vendor's Flutter plug-in.
    ///
    /// The plug-in's items have the same form as the legacy SDK's items.
    public static let flutterPrefix = "com.forgerock.authenticator.keychainservice.local"

    /// Finds a service by the name that it has in the legacy SDK or in the Flutter plug-in; `nil` if neither uses
    /// the name.
    package init?(name: String) {
        guard let service = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
        self = service
    }

    /// Returns the service's name with the given prefix.
    package func name(prefix: String) -> String { prefix + rawValue.dropFirst(Self.prefix.count) }

    /// The service's names in the legacy SDK and in the Flutter plug-in.
    package var names: [String] { [rawValue, name(prefix: Self.flutterPrefix)] }
}

/// A keychain service whose items are read: a service of either SDK, or a service whose name an app chose.
package enum RecordService: Hashable {
    case legacy(LegacyService)
    case newSDK(NewSDKService)
    /// A service whose name an app chose.
    ///
    /// The items of the service have the form of either SDK.
    case other(String)

    /// The services of both SDKs.
    package static let standard = LegacyService.allCases.map(legacy) + NewSDKService.allCases.map(newSDK)
    /// The services of both SDKs, and the services that ``FurtherServices`` selects by name.
    package static var all: [RecordService] { standard + FurtherServices.names.map(other) }

    /// Finds a service by its name.
    ///
    /// The result is `nil` if neither SDK uses the name and ``FurtherServices`` does not select the service.
    package init?(name: String) {
        if let service = LegacyService(name: name) {
            self = .legacy(service)
        } else if let service = NewSDKService(rawValue: name) {
            self = .newSDK(service)
        } else if FurtherServices.contains(name) {
            self = .other(name)
        } else {
            return nil
        }
    }

    /// All names of the service.
    package var names: [String] {
        switch self {
        case .legacy(let service): service.names
        case .newSDK(let service): [service.rawValue]
        case .other(let name): [name]
        }
    }

    /// The SHA-1 hash of each name.
    ///
    /// The system's own keychain database stores these hashes instead of the names.
    package var hashedNames: [Data] { names.map { Data(Insecure.SHA1.hash(data: Data($0.utf8))) } }

    package var name: String {
        switch self {
        case .legacy(let service): service.rawValue
        case .newSDK(let service): service.rawValue
        case .other(let name): name
        }
    }

    /// Returns the legacy SDK's service for the kind of record that an item of this service contains.
    ///
    /// The payload determines the kind only if an app chose the name of this service.
    package func kind(of payload: LegacyItem.Payload, under key: String) -> LegacyService {
        switch self {
        case .legacy(let service): service
        case .newSDK(let service): service.counterpart
        case .other(let name): FurtherServices.kind(of: payload, under: key, in: name)
        }
    }

    /// Returns the payload of an item of this service that stores the given value.
    package func payload(_ value: Data) -> LegacyItem.Payload {
        guard value.count <= LegacyItem.largestValue else { return .tooLarge }
        return switch self {
        case .legacy: .archive(value)
        case .other: FurtherServices.payload(value)
        case .newSDK(.oathSecrets): .newSDKSecret(value)
        case .newSDK: .newSDK(value)
        }
    }
}

extension LegacyItem.Payload {
    package static let tooLarge = damaged("The value is larger than 16 MB.")
}
