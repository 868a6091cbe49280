package import Foundation
import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// Keychain services whose names an app chose; their items have the form of either SDK's items.
///
/// The readers of all containers query ``selection`` to decide whether to read a further service. The selection is a
/// task-local value, because the readers are nested and have no references to their callers.
package enum FurtherServices {
    /// The selected services.
    enum Selection: Sendable {
        case named(Set<String>)
        /// All services.
        ///
        /// For each service, the items that look like items of the SDKs are counted.
        case any(Lock<Found>)
    }

    /// The numbers of items that may be items of the SDKs, but are in services that are not read.
    package struct Findings: Equatable, Sendable {
        /// For each service, the number of items that look like items of the SDKs.
        package fileprivate(set) var items: [String: Int] = [:]
        /// For each service, the number of encrypted items that, judging by their keys, belong to the SDKs.
        package fileprivate(set) var encryptedItems: [String: Int] = [:]
        /// For each service, the number of deleted items that look like items of the SDKs.
        package fileprivate(set) var deletedItems: [String: Int] = [:]
        /// For each service, the number of the other encrypted items, which may belong to any program.
        package fileprivate(set) var otherEncryptedItems: [String: Int] = [:]
        /// For each service, the modules of the archived classes, except the legacy SDK's module.
        package fileprivate(set) var modules: [String: Set<String>] = [:]

        package init() {}

        /// Returns the findings for all services except the given services.
        package func besides(_ services: [String]) -> Findings {
            let services = Set(services)
            var rest = Findings()
            rest.items = items.filter { !services.contains($0.key) }
            rest.encryptedItems = encryptedItems.filter { !services.contains($0.key) }
            rest.deletedItems = deletedItems.filter { !services.contains($0.key) }
            rest.otherEncryptedItems = otherEncryptedItems.filter { !services.contains($0.key) }
            rest.modules = modules.filter { !services.contains($0.key) }
            return rest
        }

        fileprivate mutating func count(_ service: String, _ isDeleted: Bool) {
            if isDeleted {
                deletedItems[service, default: 0] += 1
            } else {
                items[service, default: 0] += 1
            }
        }
    }

    /// Collects the findings while the items of all services are counted.
    struct Found {
        /// An item that can be judged only when all items are known.
        private struct Undecided {
            let service: String
            let key: String
            let isDeleted: Bool
        }

        private var findings = Findings()
        private var passwords: Set<String> = []
        private var secrets: [Undecided] = []
        private var encrypted: [Undecided] = []

        /// Counts an item that looks like the SDKs' items; an item that cannot be judged yet is kept for ``all``.
        mutating func add(
            _ payload: LegacyItem.Payload,
            under key: String,
            in service: String,
            isDeleted: Bool = false
        ) {
            // PushBridge's own services are skipped: their names consist of a service of the successor SDK and a
            // suffix.
            guard !NewSDKService.allCases.contains(where: { service.hasPrefix("\($0.rawValue).") }) else {
                return
            }
            let item = Undecided(service: service, key: key, isDeleted: isDeleted)
            switch payload {
            case .archive(let bytes):
                guard let module = FurtherServices.module(of: bytes) else {
                    if FurtherServices.isEncrypted(bytes) { encrypted.append(item) }
                    return
                }
                if !module.isEmpty { findings.modules[service, default: []].insert(module) }
            case .newSDK(let json):
                guard let members = JSONValue(json: json) else {
                    if FurtherServices.isEncrypted(json) { encrypted.append(item) }
                    return
                }
                guard members["id"] != nil,
                    ["sharedSecret", "oathType", "credentialId"].contains(where: { members[$0] != nil })
                else { return }
                if members["oathType"] != nil { passwords.insert(key) }
            case .newSDKSecret: return secrets.append(item)
            default: return
            }
            findings.count(item.service, isDeleted)
        }

        /// The numbers of items, after all items have been added.
        ///
        /// A secret counts only if a one-time-password credential has the same key. An encrypted item counts as an item
        /// of the SDKs only if its key looks like a key of the SDKs, and if at least one encrypted item has the key of
        /// a mechanism.
        var all: Findings {
            var all = findings
            for secret in secrets where passwords.contains(secret.key) {
                all.count(secret.service, secret.isDeleted)
            }
            let accounts = Set(encrypted.compactMap { Self.account(ofMechanism: $0.key) })
            for item in encrypted {
                let isOfTheSDKs = !accounts.isEmpty && Self.isKey(item.key, amongAccounts: accounts)
                switch (isOfTheSDKs, item.isDeleted) {
                case (true, true): all.deletedItems[item.service, default: 0] += 1
                case (true, false): all.encryptedItems[item.service, default: 0] += 1
                case (false, true): break
                case (false, false): all.otherEncryptedItems[item.service, default: 0] += 1
                }
            }
            return all
        }

        /// Returns the key of a mechanism's account; `nil` if the key is not the key of a mechanism.
        private static func account(ofMechanism key: String) -> String? {
            for suffix in ["-push", "-totp", "-hotp"] where key.hasSuffix(suffix) {
                return String(key.dropLast(suffix.count))
            }
            return nil
        }

        /// Returns whether a key looks like the key of a mechanism, a notification or the device token, or is in
        /// `accounts`.
        private static func isKey(_ key: String, amongAccounts accounts: Set<String>) -> Bool {
            if key == "deviceToken" || accounts.contains(key) || account(ofMechanism: key) != nil {
                return true
            }
            // The key of a notification consists of the mechanism's UUID and a time in milliseconds.
            let parts = key.split(separator: "-", omittingEmptySubsequences: false)
            return parts.count == 6 && UUID(uuidString: parts.prefix(5).joined(separator: "-")) != nil
                && parts[5].allSatisfy(\.isNumber)
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

    /// Returns the payload of an item of a further service.
    ///
    /// The content determines the form, because the name of the service does not show which SDK's form the item has.
    static func payload(_ value: Data) -> LegacyItem.Payload {
        if value.first == UInt8(ascii: "{") { return .newSDK(value) }
        return value.isSecretText ? .newSDKSecret(value) : .archive(value)
    }

    /// Returns the module of an archive of the legacy SDK or of a renamed copy.
    /// - Returns: The module; empty if it is the SDK's module or is not known; `nil` for other archives and values.
    private static func module(of archive: Data) -> String? {
        let isOfTheSDK = archive.contains(bytesOf: "FRAuthenticator.")
        let module: String?
        do throws(LegacyRecordError) {
            module = try archive.reading { bytes throws(LegacyRecordError) in
                try ArchivedObject(rootOf: bytes).class.moduleOfSDKClass
            }
        } catch {
            // The archive is damaged, but the name of its class may still be there.
            return isOfTheSDK || archive.containsSDKClass ? "" : nil
        }
        guard let module else { return isOfTheSDK ? "" : nil }
        // Other programs may also have a class with the name `Account`, so the archive must also contain a
        // field of the SDK.
        guard isOfTheSDK || archive.containsSDKField else { return nil }
        let isName = module.utf8.count <= 60 && module.utf8.allSatisfy(\.isModuleCharacter)
        return "\(module)." == LegacyArchiveClass.module || !isName ? "" : module
    }

    /// Returns whether a value is sealed, or looks as random as encrypted data.
    private static func isEncrypted(_ value: Data) -> Bool {
        if SealedItem(value) != nil { return true }
        do throws(PropertyListError) {
            _ = try BinaryPropertyList(value)
            return false
        } catch {
            return error == .encrypted
        }
    }

    /// Returns the kind of an item, determined by the classes in its archive or the members of its JSON.
    ///
    /// While the items of all services are counted, the call also counts the item.
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

    /// Counts a deleted item of a further service if the items of all services are counted.
    static func countDeleted(_ payload: LegacyItem.Payload, under key: String, in service: String) {
        guard case .any(let found) = selection else { return }
        found.withValue { $0.add(payload, under: key, in: service, isDeleted: true) }
    }

    /// Calls `body`, which reads a store, and counts the items of other services that look like items of the SDKs.
    /// - Returns: The numbers of these items.
    package static func counting(
        _ body: () throws(LegacyStoreError) -> Void
    ) throws(LegacyStoreError) -> Findings {
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

extension RecordService {
    /// Returns whether a value has the form of a record of this service.
    package func recognises(_ value: Data) -> Bool {
        switch self {
        case .legacy: value.isArchive
        case .newSDK(.oathSecrets): value.isSecretText
        case .newSDK: value.first == UInt8(ascii: "{")
        case .other: value.isArchive || value.first == UInt8(ascii: "{") || value.isSecretText
        }
    }

    /// Counts a deleted item of a further service while the items of all services are counted.
    package func countDeleted(_ payload: LegacyItem.Payload, under key: String) {
        if case .other(let name) = self { FurtherServices.countDeleted(payload, under: key, in: name) }
    }
}

extension ArchivedClass {
    /// The module of a class that has the name of one of the legacy SDK's classes; empty if the name contains no
    /// module, `nil` for other classes.
    fileprivate var moduleOfSDKClass: String? {
        guard name.encoding == .ascii else { return nil }
        let text = String(decoding: list.bytes[name.range], as: UTF8.self)
        for known in LegacyArchiveClass.allCases {
            if text == known.bareName { return "" }
            if text.hasSuffix(".\(known.bareName)") { return String(text.dropLast(known.bareName.count + 1)) }
        }
        return nil
    }
}

extension Data {
    /// Whether the value is a binary property list or a sealed value.
    fileprivate var isArchive: Bool { starts(with: Array("bplist".utf8)) || SealedItem(self) != nil }

    /// Whether the value is text in base32, as the successor SDK stores secrets.
    fileprivate var isSecretText: Bool { !isEmpty && count <= 1024 && allSatisfy(\.isBase32) }

    /// Whether the value contains the name of a class of the legacy SDK, except `Account`, which other programs also
    /// use.
    fileprivate var containsSDKClass: Bool {
        contains(bytesOf: ".PushMechanism") || contains(bytesOf: ".TOTPMechanism")
            || contains(bytesOf: ".HOTPMechanism") || contains(bytesOf: ".PushDeviceToken")
            || contains(bytesOf: ".PushNotification")
    }

    /// Whether the value contains one of three field names; every record of the legacy SDK has at least one of
    /// these fields.
    fileprivate var containsSDKField: Bool {
        contains(bytesOf: "accountName") || contains(bytesOf: "mechanismUUID") || contains(bytesOf: "tokenId")
    }
}

extension UInt8 {
    /// Whether the character may occur in the name of a module.
    fileprivate var isModuleCharacter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    fileprivate var isBase32: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "2")...UInt8(ascii: "7"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}

/// A legacy store in which the items of further services are also read as items of the SDKs.
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
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try reading { () throws(LegacyStoreError) in try wrapped.remove(removals, backup: backup) }
    }

    private func reading<Value>(
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        try FurtherServices.reading(services, body)
    }
}

/// Opens a legacy store in which the items of further services are also read as items of the SDKs.
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
