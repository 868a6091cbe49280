/// Finds the items of a store one after the other.
protocol ItemPuller: AnyObject {
    /// The next item; `nil` at the end.
    func next() throws(LegacyStoreError) -> LegacyItem?
}

extension LegacyItems {
    init(_ puller: some ItemPuller) {
        self.init { () throws(LegacyStoreError) in try puller.next() }
    }
}
