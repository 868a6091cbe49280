package import Foundation
package import PushBridgeCore

extension LegacyRecord {
    /// Reads a keyed archive of the legacy SDK from `service`.
    ///
    /// Fails as damaged if the bytes are anything else, and as unsupported for a kind of mechanism that the
    /// new model does not know, or a class of another module.
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

    /// The record as the last legacy SDK, 4.9, would archive it; reading it gives the same record, of version 1 where it
    /// had none.
    ///
    /// Holds secrets in the clear, as the legacy store does.
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

/// The module that the classes of archives are of: apps with a renamed copy of the legacy SDK have another one.
package enum ArchiveModule: Equatable, Sendable {
    case legacySDK
    case named(String)
    /// Of a record that was read before, so that its module was named then.
    case any

    fileprivate func includes(_ name: String) -> Bool {
        switch self {
        case .legacySDK: false
        case .named(let module): name == module
        case .any: true
        }
    }
}

/// The classes of the legacy SDK's archives, named as there.
enum LegacyArchiveClass: String, CaseIterable {
    case account = "FRAuthenticator.Account"
    case pushMechanism = "FRAuthenticator.PushMechanism"
    case totpMechanism = "FRAuthenticator.TOTPMechanism"
    case hotpMechanism = "FRAuthenticator.HOTPMechanism"
    case notification = "FRAuthenticator.PushNotification"
    case deviceToken = "FRAuthenticator.PushDeviceToken"

    static let module = "FRAuthenticator."

    /// The name without the module, which an archive may leave out.
    var bareName: String { String(rawValue.dropFirst(Self.module.count)) }

    /// The classes it inherits from, nearest first.
    var ancestors: [LegacyArchiveAncestor] {
        switch self {
        case .account, .notification, .deviceToken: [.object]
        case .pushMechanism: [.mechanism, .object]
        case .totpMechanism, .hotpMechanism: [.oathMechanism, .mechanism, .object]
        }
    }
}

/// The classes that only others inherit from.
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
            throw .damaged("The record is of a class that does not belong here.")
        }
        if let known = candidates.first(where: { name.hasSuffix(".\($0.bareName)") }) {
            let other = String(name.dropLast(known.bareName.count + 1))
            if module.includes(other) { return known }
            throw .unsupported(
                "The record is of the class \(name). If \(other) is a renamed copy of the legacy SDK, name that module."
            )
        }
        guard service == .mechanism, try isMechanism(name) else {
            throw .damaged("The record is of the class \(name), which does not belong here.")
        }
        throw .unsupported("Mechanisms of the class \(name) are not supported.")
    }

    /// Whether this is a mechanism of the legacy SDK, by its name or its ancestors.
    private func isMechanism(_ name: String) throws(LegacyRecordError) -> Bool {
        guard name.hasPrefix(LegacyArchiveClass.module) else { return false }
        if name.hasSuffix("Mechanism") { return true }
        return try decoding { () throws(PropertyListError) in
            try self.class.descends(from: LegacyArchiveAncestor.mechanism.rawValue)
        }
    }
}
