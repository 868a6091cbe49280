import Foundation
import LegacyStore
import PushBridgeCore

/// The marker items of access groups.
///
/// If a process can read the marker of a group, it can read the group's items.
extension LegacyKeychain {
    /// Returns whether the process can read the marker of each group.
    func hasMarkers(in groups: [String]) throws -> Bool {
        try groups.allSatisfy { try beside(.mark, in: $0.group) != nil }
    }

    /// Writes the markers of groups, and adds the groups to those of a move.
    func mark(_ groups: [String], of move: inout LegacyMove) throws {
        for group in groups {
            // The marker is written before the group is recorded, because a recorded group without a marker
            // counts as inaccessible. If the marker already exists, it is written again, because the
            // accessibility class of an item may have changed.
            let isKnown = move.groups.contains(group)
            if try !isKnown || beside(.mark, in: group.group) != nil {
                try mark(group.group)
            }
            if !isKnown { move.groups.append(group) }
        }
    }

    /// Writes the missing markers of groups, and returns whether all groups are accessible.
    /// - Parameters:
    ///   - groups: The groups.
    ///   - listing: The listing of this attempt. It replaces the listing of earlier attempts before the
    ///     markers are written. Otherwise, items of the earlier listing that are missing now would count as
    ///     removed because of the new markers.
    /// - Returns: Whether the process can access each group.
    func isAccessible(_ groups: [String], instead listing: ItemListing? = nil) -> Bool {
        do {
            if let listing { try keep(listing.encoded, beside: .listing) }
            try replaceMarkers(in: groups)
            return true
        } catch {
            return false
        }
    }

    /// Writes missing markers again; markers can be missing, for example, after a restore without the
    /// keychain.
    /// - Throws: ``StoreError`` with the code `locked` if a group is not accessible or its marker is hidden.
    func replaceMarkers(in groups: [String]) throws {
        for group in groups {
            do {
                guard try beside(.mark, in: group.group) == nil else { continue }
                // This call fails if the marker exists but the keychain hides it.
                try mark(group.group)
                guard try beside(.mark, in: group.group) == nil else { continue }
                throw StoreError(.locked, reason: "The group's marker item was written, but cannot be read.")
            } catch {
                let reason = (error as? StoreError)?.reason ?? "\(error)"
                throw StoreError(
                    .locked,
                    reason: "A keychain group of the legacy items is not accessible: \(reason)"
                )
            }
        }
    }
}
