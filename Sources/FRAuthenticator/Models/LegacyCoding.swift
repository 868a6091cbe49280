import Foundation
import LegacyStore
import PushBridgeCore

extension NSCoder {
    /// The fields of a legacy archive; `nil` if one that the object cannot do without is not there.
    func legacyValue<Value>(_ read: (CoderFieldReader) throws(LegacyRecordError) -> Value) -> Value? {
        do {
            return try read(CoderFieldReader(self))
        } catch {
            return nil
        }
    }
}

extension LegacyRecord {
    /// The `toJson()` text; `nil` if a number cannot be written in JSON.
    var legacyText: String? {
        do {
            return String(decoding: try legacyJSON(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}

/// The names of the classes in archives of Foundation's, which apps with their own storage keep.
enum ArchiveNames {
    /// Keeps them the SDK's where this module is built under another name, beside an SDK that has its name too.
    static func register() {
        let classes: [AnyClass] = [
            Account.self, Mechanism.self, OathMechanism.self, TOTPMechanism.self, HOTPMechanism.self,
            PushMechanism.self, PushNotification.self, PushDeviceToken.self,
        ]
        for type in classes {
            let name = "FRAuthenticator.\(type)"
            guard NSStringFromClass(type) != name else { continue }
            NSKeyedArchiver.setClassName(name, for: type)
            NSKeyedUnarchiver.setClass(type, forClassName: name)
        }
    }
}
