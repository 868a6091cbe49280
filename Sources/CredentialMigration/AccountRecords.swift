import Foundation
import PushBridgeCore

/// The records of one source that describe the same account: the account's own record, and the copies in its
/// credentials.
struct AccountRecords {
    /// The account's own record, which only the legacy SDK stores.
    var own: AccountProfile?
    private var repeated: [AccountProfile] = []

    /// Adds a copy of the account that a credential contains.
    mutating func add(_ profile: AccountProfile) { repeated.append(profile) }

    /// The account that is merged from its own record and the copies; `nil` if there are no records.
    ///
    /// The merged account has the values of the record with the latest date. Values that this record lacks come from
    /// the other records, from the newest to the oldest. If the dates of the account's own record and of a copy are in
    /// the same second, the copy has precedence. If any record contains a lock, the merged account is locked.
    ///
    /// The merged account has the date of the account's own record or, if this date is missing, the earliest date of
    /// the copies.
    var merged: AccountProfile? {
        var records = repeated.sorted { one, other in
            if let isNewer = one.isNewer(than: other) { return isNewer }
            let (date, otherDate) = (one.addedAt ?? .distantPast, other.addedAt ?? .distantPast)
            return date == otherDate ? one.details.lexicographicallyPrecedes(other.details) : date > otherDate
        }
        if let own {
            let place = records.firstIndex { own.isNewer(than: $0) == true }
            records.insert(own, at: place ?? records.endIndex)
        }
        guard var merged = records.first else { return nil }
        for other in records.dropFirst() { merged.complete(from: other) }
        merged.addedAt = own?.addedAt ?? repeated.compactMap(\.addedAt).min()
        return merged
    }
}

extension AccountProfile {
    /// Returns whether this account was added in a later second than `other`; returns `nil` if both were
    /// added in the same second.
    ///
    /// The dates are compared in seconds, because the successor SDK stores the dates of its push credentials
    /// in whole seconds.
    fileprivate func isNewer(than other: AccountProfile) -> Bool? {
        let (second, otherSecond) = (addedSecond, other.addedSecond)
        return second == otherSecond ? nil : second > otherSecond
    }

    private var addedSecond: Double {
        (addedAt ?? .distantPast).timeIntervalSinceReferenceDate.rounded(.down)
    }

    /// The display details, the policies and the lock, by which records with equal dates are sorted.
    fileprivate var details: [String] {
        [
            customDisplayIssuer, customDisplayAccountName, imageURL, backgroundColor, policies, lockingPolicy,
            "\(isLocked)",
        ].map { $0 ?? "" }
    }
}
