package import Foundation
package import PushBridgeCore

extension LegacyRecord {
    /// Reads a keyed archive that the legacy SDK stored in `service`.
    ///
    /// - Throws: ``LegacyRecordError``. Its code is `unsupported` for a class of another module or an unknown
    ///   kind of mechanism, and `damaged` otherwise.
    package init(
        archive: Data,
        service: LegacyService,
        module: ArchiveModule = .legacySDK
    ) throws(LegacyRecordError) {
        self = try archive.reading { bytes throws(LegacyRecordError) in
            let object = try ArchivedObject(rootOf: bytes)
            return switch try object.legacyClass(in: service, module) {
            case .account: .account(try LegacyAccount(fields: object))
            case .pushMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .push))
            case .totpMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .totp))
            case .hotpMechanism: .mechanism(try LegacyMechanism(archived: object, kind: .hotp))
            case .notification: .notification(try PushNotification(fields: object))
            case .deviceToken: .deviceToken(try PushDeviceToken(fields: object))
            }
        }
    }

    /// The archive of the record, in the form that the legacy SDK 4.9 writes.
    ///
    /// For a record of the legacy SDK, reading the archive results in an equal record, except that a record without a
    /// version then has version 1.
    ///
    /// The archive contains unencrypted secrets, like the legacy store.
    package var archive: Data {
        var fields = KeyedArchiveWriter()
        write(to: &fields)
        return fields.bytes(class: archiveClass)
    }

    private var archiveClass: LegacyArchiveClass {
        switch kind {
        case .account: .account
        case .totp: .totpMechanism
        case .hotp: .hotpMechanism
        case .notification: .notification
        case .deviceToken: .deviceToken
        case .push, .unknown: .pushMechanism
        }
    }
}

/// A module whose archived classes are read like the legacy SDK's own.
///
/// The archives of a renamed copy of the legacy SDK contain the copy's module.
package enum ArchiveModule: Equatable, Sendable {
    case legacySDK
    case named(String)
    /// Any module.
    ///
    /// This value is used for a record that a migration stored: its module was checked before.
    case any

    fileprivate func includes(_ name: String) -> Bool {
        switch self {
        case .legacySDK: false
        case .named(let module): name == module
        case .any: true
        }
    }
}

/// The classes of the legacy SDK's archives; the raw values are the names in the archives.
enum LegacyArchiveClass: String, CaseIterable {
    case account = "FRAuthenticator.Account"
    case pushMechanism = "FRAuthenticator.PushMechanism"
    case totpMechanism = "FRAuthenticator.TOTPMechanism"
    case hotpMechanism = "FRAuthenticator.HOTPMechanism"
    case notification = "FRAuthenticator.PushNotification"
    case deviceToken = "FRAuthenticator.PushDeviceToken"

    static let module = "FRAuthenticator."

    /// The name without the module, because an archive may omit the module.
    var bareName: String { String(rawValue.dropFirst(Self.module.count)) }

    /// The superclasses; the nearest superclass is first.
    var ancestors: [LegacyArchiveAncestor] {
        switch self {
        case .account, .notification, .deviceToken: [.object]
        case .pushMechanism: [.mechanism, .object]
        case .totpMechanism, .hotpMechanism: [.oathMechanism, .mechanism, .object]
        }
    }
}

/// The superclasses of the archived classes.
enum LegacyArchiveAncestor: String, CaseIterable {
    case oathMechanism = "FRAuthenticator.OathMechanism"
    case mechanism = "FRAuthenticator.Mechanism"
    case object = "NSObject"
}

extension LegacyService {
    var archiveClasses: [LegacyArchiveClass] {
        switch self {
        case .account: [.account]
        case .mechanism: [.pushMechanism, .totpMechanism, .hotpMechanism]
        case .notification: [.notification]
        case .deviceToken: [.deviceToken]
        }
    }
}

extension ArchivedObject {
    func legacyClass(
        in service: LegacyService,
        _ module: ArchiveModule
    ) throws(LegacyRecordError) -> LegacyArchiveClass {
        let candidates = service.archiveClasses
        if let match = candidates.first(where: { self.class.isCalled($0.rawValue) }) { return match }
        if let match = candidates.first(where: { self.class.isCalled($0.bareName) }) { return match }
        guard let name = self.class.displayName else {
            throw .damaged("The record has a class that does not belong in this service.")
        }
        if let known = candidates.first(where: { name.hasSuffix(".\($0.bareName)") }) {
            let other = String(name.dropLast(known.bareName.count + 1))
            if module.includes(other) { return known }
            throw .unsupported(
                "Pass --module \(other) if \(other) is a renamed copy of the legacy SDK: the record has the class \(name)."
            )
        }
        guard service == .mechanism, try isMechanism(name) else {
            throw .damaged("The record has the class \(name), which does not belong in this service.")
        }
        throw .unsupported("Mechanisms of the class \(name) are not supported.")
    }

    /// Returns whether the object's class is a mechanism class of the legacy SDK, judging by its name or its
    /// ancestors.
    private func isMechanism(_ name: String) throws(LegacyRecordError) -> Bool {
        guard name.hasPrefix(LegacyArchiveClass.module) else { return false }
        if name.hasSuffix("Mechanism") { return true }
        return try decoding { () throws(PropertyListError) in
            try self.class.descends(from: LegacyArchiveAncestor.mechanism.rawValue)
        }
    }
}
