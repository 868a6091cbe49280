package import Foundation
package import PushBridgeCore

extension LegacyRecord {
    /// The record as the last legacy SDK, 4.9, would archive it; reading it gives the same record.
    ///
    /// Holds secrets in the clear, as the legacy store does.
    package var archive: Data {
        switch self {
        case .account(let account): account.archiveFields.bytes(class: .account)
        case .mechanism(let mechanism): mechanism.archiveFields.bytes(class: mechanism.archiveClass)
        case .notification(let notification): notification.archiveFields.bytes(class: .notification)
        case .deviceToken(let token): token.archiveFields.bytes(class: .deviceToken)
        }
    }
}
