import Foundation
import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// Keychain services whose names were chosen by an app.
///
/// The items of these services have the form of either SDK.
///
/// If a service is not a service of the SDKs, the readers of all containers query this selection. The
/// selection is a task-local value because the readers are nested: the reader of a line, a table or a list
/// has no reference to its caller.
package enum FurtherServices {
    /// The selected services.
    enum Selection: Sendable {
        case named(Set<String>)
        /// All services.
        ///
        /// For each service, the items that look like items of the SDKs are counted.
        case any(Lock<Found>)
    }

    /// The numbers of items that look like items of the SDKs, for each service.
    struct Found {
        private var counts: [String: Int] = [:]
        private var passwords: Set<String> = []
        private var secrets: [(service: String, key: String)] = []

        /// Counts an item if it looks like one of the SDKs' items.
        mutating func add(_ payload: LegacyItem.Payload, under key: String, in service: String) {
            // PushBridge's own services are skipped. The SDK does not have these services.
            guard !NewSDKService.allCases.contains(where: { service.hasPrefix("\($0.rawValue).") }) else {
                return
            }
            switch payload {
            case .archive(let bytes) where bytes.contains(bytesOf: "FRAuthenticator."): break
            case .newSDK(let json):
                guard let members = JSONValue(json: json), members["id"] != nil,
                    ["sharedSecret", "oathType", "credentialId"].contains(where: { members[$0] != nil })
                else { return }
                if members["oathType"] != nil { passwords.insert(key) }
            case .newSDKSecret: return secrets.append((service, key))
            default: return
            }
            counts[service, default: 0] += 1
        }

        /// The number of items for each service.
        ///
        /// A secret counts only if the item of its credential exists as well.
        var all: [String: Int] {
            secrets.filter { passwords.contains($0.key) }
                .reduce(into: counts) { $0[$1.service, default: 0] += 1 }
        }
    }

    @TaskLocal static var selection = Selection.named([])

    /// The names of the selected services.
    static var names: [String] {
        if case .named(let names) = selection { names.sorted() } else { [] }
    }

    /// Whether the items of all services are counted.
    package static var isCounting: Bool { if case .any = selection { true } else { false } }

    static func contains(_ name: String) -> Bool {
        switch selection {
        case .named(let names): names.contains(name)
        case .any: true
        }
    }

    /// Returns a value as a payload of either SDK's services.
    ///
    /// The content determines the form, because the name of the service does not show it.
    static func payload(_ value: Data) -> LegacyItem.Payload {
        if value.first == UInt8(ascii: "{") { return .newSDK(value) }
        let isSecret = !value.isEmpty && value.count <= 1024 && value.allSatisfy(\.isBase32)
        return isSecret ? .newSDKSecret(value) : .archive(value)
    }

    /// Returns the kind of an item.
    ///
    /// The kind is determined by the classes in the item's archive or by the members of its JSON.
    static func kind(of payload: LegacyItem.Payload, under key: String, in service: String) -> LegacyService {
        if case .any(let found) = selection {
            found.withValue { $0.add(payload, under: key, in: service) }
        }
        if case .newSDK(let json) = payload, let members = JSONValue(json: json) {
            if members["credentialId"] != nil { return .notification }
            let isToken = members["issuer"] == nil && (members["token"] != nil || members["tokenId"] != nil)
            return isToken ? .deviceToken : .mechanism
        }
        guard case .archive(let bytes) = payload else { return .mechanism }
        if bytes.contains(bytesOf: "PushDeviceToken") { return .deviceToken }
        if bytes.contains(bytesOf: "PushNotification") { return .notification }
        if bytes.contains(bytesOf: "Mechanism") { return .mechanism }
        return bytes.contains(bytesOf: "Account") ? .account : .mechanism
    }

    /// Calls `body`; while it runs, items of the named services count as items of the SDKs.
    package static func reading<Value>(
        _ names: some Sequence<String>,
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        try with(.named(Set(names)), body)
    }

    /// Calls `body`, which reads a store, and counts the items of other services that look like items of the
    /// SDKs.
    /// - Returns: The number of these items by service.
    package static func counting(_ body: () throws(LegacyStoreError) -> Void) throws(LegacyStoreError)
        -> [String: Int]
    {
        let found = Lock(Found())
        try with(.any(found), body)
        return found.withValue(\.all)
    }

    private static func with<Value>(
        _ selection: Selection,
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        let result = $selection.withValue(selection) {
            do throws(LegacyStoreError) {
                return Result<Value, LegacyStoreError>.success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension UInt8 {
    fileprivate var isBase32: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "2")...UInt8(ascii: "7"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}

/// A legacy store that also reads the items of further services as items of the SDKs.
struct FurtherServicesSource: WrappingSource {
    let wrapped: any LegacySource
    let services: [String]

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try reading { () throws(LegacyStoreError) in try wrapped.items() }
        return LegacyItems { () throws(LegacyStoreError) in
            try reading { () throws(LegacyStoreError) in try items.next()?.get() }
        }
    }

    func state() throws(LegacyStoreError) -> SourceState? {
        try reading { () throws(LegacyStoreError) in try wrapped.state() }
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try reading { () throws(LegacyStoreError) in try wrapped.cleanUp(backup: backup) }
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try reading { () throws(LegacyStoreError) in try wrapped.remove(doomed, backup: backup) }
    }

    private func reading<Value>(
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        try FurtherServices.reading(services, body)
    }
}

/// Opens a legacy store that also reads the items of further services as items of the SDKs.
/// - Parameters:
///   - services: The names of the services; an empty list has no effect.
///   - open: Opens the store.
/// - Returns: The store.
/// - Throws: The error of `open`.
package func openReading(
    services: [String],
    _ open: () throws(LegacyStoreError) -> any LegacySource
) throws(LegacyStoreError) -> any LegacySource {
    guard !services.isEmpty else { return try open() }
    return FurtherServicesSource(wrapped: try FurtherServices.reading(services, open), services: services)
}
