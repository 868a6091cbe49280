/// A view that changes nothing: it shows what another view would after the ``changes`` it was asked to make.
///
/// For stores that first collect a transaction and then carry it out in one go. Valid as long as the other view is.
package final class StagedView {
    /// What the transaction changes.
    package internal(set) var changes = StoreChanges()
    let stored: any CredentialReading

    package init(over stored: any CredentialReading) {
        self.stored = stored
    }

    /// Whether there is a value; one that is damaged is there, so that it can be removed.
    func isThere(_ value: () throws -> Any?) throws -> Bool {
        try isDamaged(value) || value() != nil
    }

    func isDamaged(_ value: () throws -> Any?) throws -> Bool {
        do {
            _ = try value()
            return false
        } catch let error as StoreError where error.code == .damaged {
            return true
        }
    }
}
