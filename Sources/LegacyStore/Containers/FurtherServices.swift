import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Keychain services with names that an app chose, whose items have the legacy SDK's form.
///
/// The readers of all containers consult it for each service that is not one of the SDKs'. It is a task-local value
/// because the readers are nested: the reader of a line, a table or a list does not know its caller.
package enum FurtherServices {
    /// The selected services.
    enum Selection: Sendable {
        case named(Set<String>)
        /// Any service; the items that look like the SDK's are counted by service.
        case any(Lock<[String: Int]>)
    }

    @TaskLocal static var selection = Selection.named([])

    /// The named services.
    static var names: [String] {
        if case .named(let names) = selection { names.sorted() } else { [] }
    }

    static func contains(_ name: String) -> Bool {
        switch selection {
        case .named(let names): names.contains(name)
        case .any: true
        }
    }

    /// Returns the kind of an item by the classes in its archive.
    static func kind(of payload: LegacyItem.Payload, in service: String) -> LegacyService {
        guard case .archive(let bytes) = payload else { return .mechanism }
        if case .any(let counts) = selection, bytes.contains("FRAuthenticator.") {
            counts.withValue { $0[service, default: 0] += 1 }
        }
        if bytes.contains("PushDeviceToken") { return .deviceToken }
        if bytes.contains("PushNotification") { return .notification }
        if bytes.contains("Mechanism") { return .mechanism }
        return bytes.contains("Account") ? .account : .mechanism
    }

    /// Calls `body`, during which the named services count as the SDK's.
    package static func reading<Value>(
        _ names: some Sequence<String>,
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        try with(.named(Set(names)), body)
    }

    /// Calls `body`, which reads a store.
    /// - Returns: The number of items that look like the SDK's, by services that are not the SDKs'.
    package static func counting(_ body: () throws(LegacyStoreError) -> Void) throws(LegacyStoreError)
        -> [String: Int]
    {
        let counts = Lock<[String: Int]>([:])
        try with(.any(counts), body)
        return counts.withValue { $0 }
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

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

/// A legacy store that also reads further services as the legacy SDK's.
struct FurtherServicesSource: LegacySource {
    let source: any LegacySource
    let services: [String]

    var container: String { source.container }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try reading { () throws(LegacyStoreError) in try source.items() }
        return LegacyItems { () throws(LegacyStoreError) in
            try reading { () throws(LegacyStoreError) in try items.next()?.get() }
        }
    }

    func state() throws(LegacyStoreError) -> SourceState? {
        try reading { () throws(LegacyStoreError) in try source.state() }
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try reading { () throws(LegacyStoreError) in try source.cleanUp(backup: backup) }
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        try reading { () throws(LegacyStoreError) in try source.remove(doomed, backup: backup) }
    }

    private func reading<Value>(
        _ body: () throws(LegacyStoreError) -> Value
    ) throws(LegacyStoreError) -> Value {
        try FurtherServices.reading(services, body)
    }
}

/// Opens a legacy store that also reads further services as the legacy SDK's.
/// - Parameters:
///   - services: The names of the services; none changes nothing.
///   - open: Opens the store.
/// - Returns: The store.
/// - Throws: The error of `open`.
package func openReading(
    services: [String],
    _ open: () throws(LegacyStoreError) -> any LegacySource
) throws(LegacyStoreError) -> any LegacySource {
    guard !services.isEmpty else { return try open() }
    return FurtherServicesSource(source: try FurtherServices.reading(services, open), services: services)
}
