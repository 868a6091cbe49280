extension ArchivedObject {
    /// Finds the object that was archived.
    init(rootOf bytes: UnsafeRawBufferPointer) throws(LegacyRecordError) {
        guard !bytes.isEmpty else { throw .damaged("The record is empty.") }
        guard let archive = try decoding({ () throws(PropertyListError) in try KeyedArchive(bytes) }) else {
            throw .damaged("The property list is not a keyed archive.")
        }
        guard let root = try decoding({ () throws(PropertyListError) in try archive.rootObject() }) else {
            throw .damaged("The archive does not hold an object of a class.")
        }
        self = root
    }
}
