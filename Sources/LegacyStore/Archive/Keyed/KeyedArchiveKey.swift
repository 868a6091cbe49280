/// The keys that give a keyed archive its shape.
enum KeyedArchiveKey: String, CaseIterable {
    case archiver = "$archiver"
    case version = "$version"
    case top = "$top"
    case root = "root"
    case objects = "$objects"
    case `class` = "$class"
    case className = "$classname"
    case ancestors = "$classes"
    case string = "NS.string"
}
