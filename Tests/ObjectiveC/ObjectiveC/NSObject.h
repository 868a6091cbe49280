// Replaces Apple's module ObjectiveC. It contains a root class for the compiler on Linux.
@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype _Nonnull)alloc;
- (instancetype _Nonnull)init;
@property (readonly) long hash;
- (_Bool)isEqual:(id _Nullable)object;
@end
