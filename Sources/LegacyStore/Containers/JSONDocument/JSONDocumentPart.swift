/// What a walk through a JSON document meets.
enum JSONDocumentPart {
    /// The beginning of a list of records.
    case list(JSONSection)
    /// One record.
    case record(JSONRecord)
    /// A member that holds no records, and where its value lies.
    case other(name: String, value: Range<Int>)
    /// From here on the document makes no sense; nothing follows.
    case broken(JSONSection?, reason: String)
}

/// One record as it lies in a JSON document.
struct JSONRecord {
    let section: JSONSection
    /// The bytes of the object.
    let bytes: [UInt8]
    /// Where they lie in the file.
    let extent: Range<Int>
}
